"""Plans: orders that are kept for decisions which are not open yet, and standing choices.

syntax      what a line of a plan says: alternatives, conditions, headings
ways        its alternatives in a position: how they are read, and which of them is taken
moments     the keys that lines are kept under: when each of them is due
later       keeping a line for a later round, for every round, or until something comes about
standing    keeping what a player settles beforehand (ALWAYS), and answering by it
kept        showing and withdrawing what is kept (PLAN, CANCEL)
releasing   carrying out a line whose decision has opened
"""
