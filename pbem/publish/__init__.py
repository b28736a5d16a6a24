"""Write the archive to its folder: files that a browser or a web server shows as they are.

    FOLDER/index.html, player.html, game.html     all games, by date, by player, by game
    FOLDER/feed.xml                               those that were finished last, as an Atom feed
    FOLDER/inn-7/index.html                       the game to read and to step through
    FOLDER/inn-7/log.txt                          once it is over: its log as text
    FOLDER/inn-7/record.json                      and what `pbem verify` checks; it names nobody
    FOLDER/inn-7/about.json                       what the lists say of it, and a stamp of all that it was made of

Writing is atomic, file by file, and the same game gives the same bytes. Nothing is written that would be as it is: a
game whose stamp is the same is left alone, and what was interrupted is done again.

    site        what there is to write to, and by which looks
    games       the files of one game
    lists       those of all games
    building    everything from the database: `pbem archive build`
    drawing     positions as HTML, and what the replay steps through
    chart       the standing over the rounds as lines
    files       folders, and writing
"""

from pbem.publish.building import Built as Built
from pbem.publish.building import build as build
from pbem.publish.files import check_folder as check_folder
from pbem.publish.games import Published as Published
from pbem.publish.games import publish as publish
from pbem.publish.games import retract as retract
from pbem.publish.games import shows as shows
from pbem.publish.lists import write_lists as write_lists
from pbem.publish.site import Site as Site
