"""Several real processes at one PostgreSQL, with Dovecot and an SMTP server: the same load for one, two and four
workers, and then all of them killed at random while people play.

``python -m tests.workers`` (`make workers`) prints what it found as JSON.
"""
