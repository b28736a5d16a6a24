"""What the archive shows of a game, as values: no I/O, no sentence.

`page_of` folds the record of a game that is over; the record holds seats and nothing that names people, so the page
has the names beside it, and is made again without one that is withdrawn. `public_page_of` folds a game that runs as far
as the beginning of its round, from nothing but what everybody may know. No record leaves the host while its game runs
(law 2).

    values      a page and what it is made of
    chapters    from a log to the steps of its rounds
    page        a game that is over
    public      a game that runs
    stills      every position in fragments, and the standing over the rounds
    listing     what the lists of games say of one, and how they are ordered
"""

from pbem.archive.chapters import taken_back as taken_back
from pbem.archive.listing import About as About
from pbem.archive.listing import about as about
from pbem.archive.page import page_of as page_of
from pbem.archive.page import record_of as record_of
from pbem.archive.public import public_page_of as public_page_of
from pbem.archive.values import Page as Page
from pbem.archive.values import Step as Step
