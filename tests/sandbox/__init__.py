"""The sandbox: its door, its mail programs, its pages, and somebody who tries it in a browser."""
