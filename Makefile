# Short names for what go.py and the tools do; `python3 go.py` alone does the rest.
.PHONY: ladder play serve test check deep leaks luck nemesis partitions clocks power fuzz golden races pages bench docs lock playthroughs

SEED ?= 1
GAMES ?= 20
NODES ?= 0
WITHIN ?= inf
CUTS ?= 500
PARTITIONS ?= 12
MINUTES ?= 1
DEALS ?= 200000

play:     ## a table in the browser, alone on this machine
	python3 go.py play
serve:    ## the same as a server for others
	python3 go.py serve
test:     ## everything that must hold before a commit lands
	python3 go.py test
check:    ## the quick half of it: style, types, walls
	python3 go.py check
deep:     ## the properties searched afresh and at length (an hour or so)
	python3 go.py test --hypothesis-profile=deep tests/rules tests/bots tests/server
leaks:    ## two worlds, 2,900 pairs for each of seven rule sets: 20,300 in all (a quarter of an hour)
	CHIAMATA_PAIRS=2900 python3 go.py test -n 2 tests/test_secrecy.py
luck:     ## DEALS=200000 fresh deals against the exact distributions, about half a minute for each 100,000
	python3 go.py setup && .venv/bin/python -m tests.rules.luck --deals $(DEALS)
nemesis:  ## GAMES=20 games from SEED=1 on a house that is killed, paused and starved (or NODES=2; none begun after WITHIN=60 minutes)
	python3 go.py setup && .venv/bin/python -m tests.nemesis --seed $(SEED) --games $(GAMES) --nodes $(NODES) --within $(WITHIN)
partitions: ## the wire between a node and its database pulled out PARTITIONS=12 times, in network namespaces (root, ip)
	CHIAMATA_PARTITIONS=$(PARTITIONS) python3 go.py test -n 0 -s -rs tests/server/test_partitions.py
clocks:   ## a game on a house whose calendar jumps by days and years (Debian: libfaketime)
	python3 go.py test -n 0 -rs tests/test_clocks.py tests/test_faketime.py
power:    ## the power cut CUTS=500 times while deals are played
	CHIAMATA_CUTS=$(CUTS) python3 go.py test -n 0 -s tests/test_power.py
fuzz:     ## nonsense for everything that reads what comes from outside, MINUTES=1 for each (docs/fuzz.md)
	python3 go.py setup fuzz
	.venv/bin/python -m tests.fuzz --minutes $(MINUTES)
	.venv/bin/python -m tests.fuzz.page --minutes $(MINUTES)
	.venv/bin/python -m tests.fuzz.routes --minutes $(MINUTES)
races:    ## four nodes want one table at once, 1,000 times: one has it
	CHIAMATA_RACES=1000 python3 go.py test -n 0 tests/server/test_leases.py -k at_once_agree
pages:    ## one deal of every rule set through the page (four minutes)
	python3 go.py test -n 2 -m slow tests/e2e
bench:    ## the figures, with this machine's name
	python3 go.py bench
docs:     ## write the generated pages anew
	python3 go.py docs
lock:     ## pin and hash what pyproject.toml asks for
	python3 go.py lock
playthroughs: ## one game of every rule set written anew: read the difference before committing it
	python3 go.py setup && .venv/bin/python -m tests.playthroughs.record
golden:   ## a log with all that lines can say, kept for ever: NAME=what-is-new NEW='in a sentence'
	python3 go.py setup && .venv/bin/python -m tests.golden.record $(NAME) $(NEW)
ladder:   ## how strong the bots are: the matches of benchmarks/ladder.md, about half an hour
	python3 go.py setup
	.venv/bin/chiamata arena --ladder --deals 400 --jobs 2 --kept benchmarks/ladder.jsonl
