"""The real program, ended by SIGKILL again and again while people play: nothing may be lost, nothing done twice.

``python -m tests.kills`` (`make kills`) does it 2,000 times and prints what it found as JSON.
"""
