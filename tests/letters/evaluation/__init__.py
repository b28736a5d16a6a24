"""How well own text is told from quotation: replies as mail programs really shape them, in nineteen languages.

Written from what the programs send, not from what `pbem.letters` knows. ``python -m tests.letters.evaluation`` reads
all of them and prints how it went. Where a figure falls short, mend the kind in `pbem.letters`, never one reply.
"""
