"""What docs/threats.md promises and no other test proves; the page names the test of each promise."""
