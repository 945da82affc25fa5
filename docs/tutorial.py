# ruff: noqa: B018, D100, E402, INP001, PLR2004, T201  # cells of a notebook, not a module
# %% [markdown]
# # Croupier in ten minutes
#
# From a game to its exact odds, to a shoe with cards missing, to tables and a PAR sheet.
# This file is a script and a notebook: run it with `python docs/tutorial.py`, or open it in
# an editor that knows cells. It needs `pip install 'croupier[data,report]'`.

# %% [markdown]
# ## Games
#
# Eleven games of five rulebooks. A game is a value: its deck, its wagers, their rows.

# %%
import croupier

for game in croupier.GAMES:
    print(f"{game.slug:<24} {game.edition.code:<5} {len(game.wagers)} wagers")

tiger = croupier.find_game("tiger")
settlement = tiger.settle("QC QS QS QD 3H 8S")
print(settlement.winner, settlement["tiger-pair"].pays)

# %% [markdown]
# ## Exact odds
#
# Every ordered deal of six cards is counted, so every figure is a fraction. In a notebook
# the last line of a cell shows as a table.

# %%
from croupier.odds import exact_odds

odds = exact_odds(croupier.BACCARAT)
print(odds["player-pair"].ev, f"{float(odds['banker'].edge):.4%}")
for row in odds["banker"].rows:
    print(f"{row.label:<14} {row.pays or '-':<10} {row.count:>25,}")
odds

# %% [markdown]
# ## A shoe with cards missing
#
# Any composition can be priced. Without the four Fours of one deck, Banker is a better
# wager and Player a worse one; and pairs come more often, because the ranks that are left
# are less evenly spread.

# %%
baccarat = croupier.BACCARAT
gone = baccarat.deck.parse_cards("4S 4H 4D 4C")
left = exact_odds(baccarat, baccarat.shoe(8).without(gone))
for before, after in zip(odds.wagers, left.wagers, strict=True):
    change = float(after.ev - before.ev)
    print(f"{before.wager.slug:<12} {float(before.ev):+.6f} {change:+.6f}")
assert left["banker"].ev > odds["banker"].ev
assert left["player"].ev < odds["player"].ev
assert left["player-pair"].hit_rate > odds["player-pair"].hit_rate

# %% [markdown]
# ## Tables
#
# Odds have three tables: `rows`, `wagers` and `covariance`, each as a pandas or polars
# frame or an Arrow table. Here: what the numbers of decks do to Tie, and which two wagers
# of a round go together most.

# %%
import pandas as pd

from croupier.odds.views import odds_by_decks

by_decks = odds_by_decks(baccarat)
frame = pd.concat([shoe.to_pandas("wagers") for shoe in by_decks.values()])
print(frame.pivot_table(index="wager", columns="decks", values="edge").round(5))

pairs = exact_odds(tiger).to_polars("covariance")
apart = pairs.filter(pairs["wager"] < pairs["other"]).sort("correlation", descending=True)
print(apart.select("wager", "other", "correlation").head(3))

# %% [markdown]
# ## Simulation beside the exact values
#
# Independent coups have a multinomial tally, so a thousand million of them are one draw.
# `z` says how many standard errors the mean lies off the exact value.

# %%
from croupier.odds.simulate import simulate_independent

found = simulate_independent(baccarat, 10**9, seed=2026)
for wager in found.wagers:
    print(f"{wager.wager.slug:<12} {wager.mean:+.6f} exact {wager.exact:+.6f} z {wager.z:+.2f}")
assert all(abs(wager.z) < 4.5 for wager in found.wagers)

# %% [markdown]
# ## A PAR sheet
#
# The same game and shoe give the same sheet, and the hash of its exact results says so.
# From the command line: `croupier parsheet baccarat -o baccarat.pdf`.

# %%
import tempfile
from pathlib import Path

from croupier.odds.parsheet import par_sheet
from croupier.odds.sheetfiles import write_sheet

sheet = par_sheet(baccarat, decks=8)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "baccarat.html"
    write_sheet(sheet, path)
    print(path.name, sheet.sha256)
    assert sheet.sha256 in path.read_text(encoding="utf-8")
