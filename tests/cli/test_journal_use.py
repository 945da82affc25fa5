"""What newcomers do with the commands of the journal: each gets one clear sentence."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import croupier.verifier
from croupier.journal.checkpoints import Signer
from croupier.journal.decision import GENESIS, chain
from croupier.journal.errors import JournalError
from croupier.journal.files import new_target
from tests.cli.run import assert_refused, run, run_process
from tests.journal.casino import bypassed, verified


@pytest.fixture
def exported(journal: str, tmp_path: Path) -> Path:
    """Return an export of lines."""
    out = tmp_path / "export.jsonl"
    assert run("export", journal, "--json", "--out", str(out)).code == 0
    return out


# Keys


@pytest.mark.parametrize("content", [b"", b"not a key\n", bytes(33)])
def test_a_file_that_is_no_key_is_refused(journal: str, tmp_path: Path, content: bytes) -> None:
    key = tmp_path / "key"
    key.write_bytes(content)
    words = ["--key", str(key)]
    assert_refused(run("export", journal, "--json", *words), "holds no signing key")
    assert_refused(run("backup", journal, str(tmp_path / "b"), *words), "no signing key")
    folder = ["--checkpoints", str(tmp_path / "house" / "checkpoints")]
    ran = run("verify", journal, *folder, "--signed-by", str(key))
    assert_refused(ran, "holds no signing key")
    assert_refused(
        run("export", journal, "--json", "--key", str(tmp_path)),
        "not a file with a signing key",
    )
    missing = str(tmp_path / "no" / "key")
    assert_refused(run("export", journal, "--json", "--key", missing), "There is no folder")


def test_who_signed_is_named_by_a_key_in_any_way(
    house: Path, journal: str, tmp_path: Path
) -> None:
    public = Signer.at(house / "signing.key").public
    text = tmp_path / "public"
    text.write_text(f"{public.upper()}\n", encoding="ascii")
    for named in (public, public.upper(), str(house / "signing.key"), str(text)):
        folder = str(house / "checkpoints")
        ran = run("verify", journal, "--checkpoints", folder, "--signed-by", named)
        assert ran.code == 0, ran
        assert f"The checkpoints are signed by {public}." in ran.out


def test_a_signer_of_nothing_is_refused(journal: str, tmp_path: Path) -> None:
    signed = ["--signed-by", "00" * 32]
    assert_refused(run("verify", journal, *signed), "give them by --checkpoints")
    assert_refused(run("restore", journal, str(tmp_path / "new"), *signed), "--checkpoints")
    assert run("backup", journal, str(tmp_path / "copy")).code == 0
    ran = run("verify", str(tmp_path / "copy"), *signed)
    assert ran.code == 1
    assert "is signed by another key" in ran.out
    assert "()" not in run("verify", "--help").out


def test_verify_says_who_signed_and_what_was_not_compared(
    journal: str, exported: Path, tmp_path: Path
) -> None:
    ran = run("verify", journal)
    assert "No checkpoints were given" in ran.out
    assert "signed by" not in ran.out
    answer = run("verify", str(exported), "--json").json
    assert answer["signed_by"] in exported.read_text(encoding="utf-8").splitlines()[-1]
    assert answer["checkpoints_signed_by"] is None
    assert f"It is signed by {answer['signed_by']}." in run("verify", str(exported)).out
    made = run("backup", journal, str(tmp_path / "copy"), "--json").json
    assert f"It is signed by {made['key']}." in run("verify", str(tmp_path / "copy")).out


def test_checkpoints_that_cannot_be_read_say_nothing_about_the_journal(
    house: Path, journal: str
) -> None:
    folder = house / "checkpoints"
    first = min(folder.iterdir())
    first.unlink()
    first.mkdir()
    ran = run("verify", journal, "--checkpoints", str(folder))
    assert_refused(ran, f"{first} cannot be read: Is a directory")


# Houses, paths and addresses


def test_a_house_is_verified_with_its_checkpoints(house: Path, tmp_path: Path) -> None:
    answer = run("verify", str(house), "--json").json
    assert answer["holds"] is True
    assert answer["checkpoints"] >= 3
    assert answer["checkpoints_signed_by"] == Signer.at(house / "signing.key").public
    assert run("recall", str(house), "--table", "1").code == 0
    assert run("replay", str(house), "--table", "2").code == 0
    assert run("export", str(house), "--csv", "--out", str(tmp_path / "tables")).code == 0
    assert run("backup", str(house), str(tmp_path / "copy")).code == 0
    assert verified(tmp_path / "copy").holds
    shutil.rmtree(house / "checkpoints")
    assert_refused(run("verify", str(house)), "There is no folder")


def test_addresses_that_cannot_be_used_keep_their_passwords(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("backup", journal, "postgresql://me:secret@db/casino")
    assert_refused(ran, "A backup is a file; to fill a database use restore.")
    assert "secret" not in ran.err
    other = "mysql://me:secret@db/casino"
    for words in (["verify", other], ["restore", journal, other]):
        ran = run(*words)
        assert_refused(ran, "An address of a journal begins with postgresql://")
        assert "secret" not in ran.err
    assert "secret" not in run("verify", "postgresql:/me:secret@db/casino").err
    ran = run("verify", "postgresql://me:my/secret@db/casino")
    assert_refused(ran, "write / as %2F and @ as %40 in a password")
    ran = run("verify", f"postgresql://me:{'secret' * 99}@127.0.0.1:1/casino")
    assert_refused(ran, "casino at 127.0.0.1 cannot be reached")
    assert "secret" not in ran.err
    assert {path.name for path in tmp_path.iterdir()} == {"house"}


def test_what_is_no_regular_file_is_refused(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert_refused(run("verify", str(fifo)), f"{fifo} is not a regular file")
    folder = tmp_path / "tables"
    assert run("export", journal, "--csv", "--out", str(folder)).code == 0
    for name in ("head.json", "decisions.csv"):
        assert_refused(run("verify", str(folder / name)), "name the folder it is in")
    monkeypatch.chdir(tmp_path)
    Path("empty").touch()
    assert run("verify", "./empty").err.startswith("croupier: empty is empty")
    assert run("verify", str(tmp_path / "empty")).err.startswith(f"croupier: {tmp_path}/empty ")


@pytest.mark.parametrize(
    "words",
    [
        ["verify", ""],
        ["backup", "", "target"],
        ["backup", "{}", ""],
        ["restore", "{}", ""],
        ["verify", "{}", "--checkpoints", ""],
        ["replay", "{}", "--table", ""],
        ["recall", "{}", "--table", "1", "--patron", ""],
        ["export", "{}", "--json", "--out", ""],
        ["export", "{}", "--json", "--key", ""],
    ],
    ids=" ".join,
)
def test_empty_words_are_refused(words: list[str], journal: str) -> None:
    assert_refused(run(*(word.format(journal) for word in words)), "it is empty")


def test_a_journal_without_its_log_is_not_taken_for_another_file(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA user_version=1")
    assert_refused(run("verify", str(copy)), "-wal file is missing", "croupier backup")


# Targets


@pytest.mark.parametrize("words", [["export", "{}", "--json", "--out"], ["backup", "{}"]])
def test_targets_are_blamed_for_themselves(
    words: list[str], journal: str, tmp_path: Path
) -> None:
    words = [word.format(journal) for word in words]
    target = tmp_path / "no" / "target"
    assert_refused(run(*words, str(target)), f"There is no folder {target.parent}; make it")
    assert not target.parent.exists()
    long = tmp_path / ("x" * 253)
    ran = run(*words, str(long))
    assert_refused(ran, f"{long} cannot be written: File name too long")
    target = tmp_path / "target"
    with new_target(target):
        assert_refused(run(*words, str(target)), "is being written by another process")
    left = tmp_path / "target.part"
    left.mkdir()
    (left / "target").write_bytes(b"left behind by a power failure")
    assert run(*words, str(target)).code == 0
    assert not left.exists()
    assert run("verify", str(target)).code == 0


def test_a_target_that_fails_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "target"

    def fail() -> None:
        with new_target(target) as part:
            part.write_bytes(b"half")
            raise OSError(28, "No space left on device", str(part))

    with pytest.raises(JournalError, match=f"{target} cannot be written: No space left"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_export_goes_to_standard_output_by_its_sign(journal: str, tmp_path: Path) -> None:
    key = ["--key", str(tmp_path / "key")]
    plain = run("export", journal, "--json", *key)
    assert run("export", journal, "--json", "--out", "-", *key).out == plain.out
    assert plain.err.startswith("Standard output: ")
    ran = run("export", journal, "--csv", "--out", "-")
    assert_refused(ran, "cannot go to standard output")


def test_an_export_to_a_closed_output_is_refused(journal: str) -> None:
    ended = subprocess.run(  # noqa: S603  # our own command
        ["/bin/sh", "-c", f'"{sys.executable}" -m croupier export "$0" --json >&-', journal],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr == "croupier: Standard output is closed; name a file by --out.\n"


# Exports that were cut


def test_a_cut_export_is_shown_with_a_warning(exported: Path) -> None:
    content = exported.read_bytes()
    exported.write_bytes(content[: content.rindex(b"\n", 0, -1) + 1])
    for command in ("recall", "replay"):
        ran = run(command, str(exported), "--table", "1")
        assert ran.code == 0
        assert "does not hold: The last line is no signed head." in ran.err
        assert "What is shown may be wrong or not all." in ran.err


def test_the_line_that_was_cut_is_found_first(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(b"".join(lines[:40]) + lines[40][:30])
    ran = run("verify", str(exported), "--json")
    assert ran.code == 1
    assert ran.json["first"]["sentence"] == "Line 41 is cut off."
    exported.write_bytes(b"".join(lines[:40]) + b"{}\n" + b"".join(lines[40:]))
    assert "Line 41 is no line of an export." in run("verify", str(exported)).out


def test_a_damaged_sheet_is_told_in_words(journal: str, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    assert run("export", journal, "--csv", "--out", str(folder)).code == 0
    sheet = folder / "postings.csv"
    content = sheet.read_text(encoding="utf-8")
    sheet.write_text(content + "table:1,2\n", encoding="utf-8")
    assert re.search(r"line \d+ has 2 columns and not 6", run("verify", str(folder)).out)
    sheet.write_text(content + "table:1,2,x,a,b,5\n", encoding="utf-8")
    assert "'x' stands where a whole number should" in run("verify", str(folder)).out
    arrow = pytest.importorskip("pyarrow.parquet")
    assert run("export", journal, "--parquet", "--out", str(tmp_path / "columns")).code == 0
    sheet = tmp_path / "columns" / "decisions.parquet"
    arrow.write_table(arrow.read_table(sheet).drop_columns(["refusal"]), sheet)
    assert "its columns are others" in run("verify", str(tmp_path / "columns")).out


def test_a_place_is_named_once(house: Path, journal: str, tmp_path: Path) -> None:
    with bypassed(house / "journal.sqlite") as connection:
        connection.execute(
            "UPDATE decision SET body = CAST(replace(body, 'Dan', 'Eve') AS BLOB)"
            " WHERE stream = 'table:1' AND sequence = 6"
        )
    ran = run("backup", journal, str(tmp_path / "copy"))
    assert_refused(ran, "was not kept: decision 6 of table:1 was changed")


# recall and replay


def test_recall_finds_rounds_by_number_and_by_patron(journal: str) -> None:
    words = ["recall", journal, "--table", "2", "--json"]
    both = run(*words).json["rounds"]
    assert run(*words, "--round", "1").json["rounds"] == both[:1]
    assert run(*words, "--round", "2", "--rounds", "1").json["rounds"] == both[1:]
    assert run(*words, "--patron", "bea").json["rounds"] == both
    assert run(*words, "--patron", "bea", "--rounds", "1").json["rounds"] == both[1:]
    assert run(*words, "--patron", "ann").json["rounds"] == []
    ran = run("recall", journal, "--table", "2", "--patron", "zoe", "--round", "7")
    assert "has played no round 7 in which zoe had a stake." in ran.out
    assert "1 to 10000" in run("recall", "--help").out


def test_the_only_table_needs_no_name(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("recall", journal)
    assert_refused(ran, f"{journal} has the tables 1 and 2; name one by --table.")
    house = tmp_path / "own"
    given = tmp_path / "lines"
    given.write_text("bet player 50\ndeal\n", encoding="ascii")
    with given.open(encoding="ascii") as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        assert run("play", "--game", "tiger", "--house", str(house)).code == 0
    assert run("recall", str(house), "--json").json["table"] == "1"
    assert "Table 1 after decision" in run("replay", str(house)).out
    key, export, copy = house / "signing.key", tmp_path / "all.jsonl", tmp_path / "copy.sqlite"
    assert run("export", str(house), "--json", "--out", str(export)).code == 0
    assert run("backup", str(house), str(copy)).code == 0
    for one in (export, copy):  # the house's own key signed what was named by its folder
        assert run("verify", str(one), "--signed-by", str(key)).code == 0


def test_replay_names_what_until_can_be(journal: str) -> None:
    ran = run("replay", journal, "--table", "1", "--until", "-1")
    assert_refused(ran, "Table 1 has the decisions 1 to", "nor 0, before the first")


# The verifier alone


def alone(*arguments: object) -> tuple[int, str, str]:
    ended = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-I", croupier.verifier.__file__, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_the_verifier_alone_refuses_in_a_sentence(exported: Path, tmp_path: Path) -> None:
    text = tmp_path / "records.csv"
    text.write_text("stream,sequence\n" * 1000, encoding="ascii")
    for words, said in (
        ([tmp_path / "missing"], "cannot be read: No such file"),
        ([tmp_path], "is not an export of lines"),
        ([text], "is not an export of lines"),
        ([exported, "key"], "is not a public key"),
        ([], "usage: "),
    ):
        code, out, err = alone(*words)
        assert (code, out) == (2, "")
        assert said in err
        assert "Traceback" not in err
    assert alone("--help")[:2] == (0, croupier.verifier.USAGE)
    text.write_text("{}\n" * 1000, encoding="ascii")
    code, out, _ = alone(text)
    assert code == 1
    assert len(out.splitlines()) == croupier.verifier.FINDINGS_MAX + 2


def test_the_verifier_alone_says_what_holds(exported: Path) -> None:
    checked = run("verify", str(exported), "--json").json
    code, out, _ = alone(exported, checked["signed_by"].upper())
    assert code == 0
    for stream, head in checked["heads"].items():
        assert f"{stream} {head['sequence']} {head['hash']}\n" in out
    assert f"{checked['decisions']} decisions" in out
    assert out.endswith(f"signed by {checked['signed_by']}\nholds\n")
    with Path("/dev/full").open("w", encoding="ascii") as full:
        ended = subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-I", croupier.verifier.__file__, exported],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr == "The output cannot be written: No space left on device.\n"


# Ctrl-C

AT_ONCE_SECONDS = 5
"""It is a tenth of a second where nothing else runs."""


def lengthened(path: Path, times: int) -> None:
    """Write the decisions of a table again and again, as those of other tables."""
    with bypassed(path) as connection:
        query = (
            "SELECT sequence, command_id, actor, body FROM decision WHERE stream = 'table:1'"
        )
        found = connection.execute(f"{query} ORDER BY sequence").fetchall()
        connection.execute("BEGIN")
        for number in range(times):
            previous, stream = GENESIS, f"table:x{number}"
            for sequence, command_id, actor, body in found:
                moved = body.replace(b'"stream":"table:1"', f'"stream":"{stream}"'.encode())
                previous = chain(previous, moved)
                connection.execute(
                    "INSERT INTO decision VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                    (stream, sequence, command_id, actor, moved, previous),
                )
        connection.execute("COMMIT")


def interrupted(command: list[str], begun: Path | None = None) -> tuple[int, str, float]:
    """Press Ctrl-C when a command has begun its work; return code, errors and seconds."""
    process = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # The first child of several is the one that counts what they share.
    while process.poll() is None and not (
        begun.exists() if begun else len(children.read_text(encoding="ascii").split()) > 2
    ):
        time.sleep(0.01)
    started = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err, time.monotonic() - started


def test_ctrl_c_stops_an_export_and_leaves_nothing(journal: str, tmp_path: Path) -> None:
    lengthened(Path(journal), 1000)
    out = tmp_path / "out"
    words = ["-m", "croupier", "export", journal, "--json", "--out", str(out)]
    code, err, seconds = interrupted(words, tmp_path / "out.part" / "out")
    assert (code, err) == (130, "")
    assert seconds < AT_ONCE_SECONDS
    assert {path.name for path in tmp_path.iterdir()} == {"house"}


def test_ctrl_c_stops_all_processes_quietly(journal: str) -> None:
    code = (
        "import os\nimport croupier.journal.opening as opening\nfrom croupier.cli import main\n"
        "os.cpu_count = lambda: 2\n"
        "opening.DECISIONS_FOR_ALL_CORES = 1\n"
        f"if __name__ == '__main__':\n    main(['verify', {journal!r}])\n"
    )
    ended, err, seconds = interrupted(["-c", code])
    assert (ended, err) == (130, "")
    assert seconds < AT_ONCE_SECONDS


def test_a_command_that_is_not_interrupted_ends_as_ever(journal: str) -> None:
    assert run_process("verify", journal).code == 0


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_reader_that_goes_away_is_no_finding(journal: str, form: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "croupier", "verify", journal, *form],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_missing_argument_is_named_in_one_sentence() -> None:
    ran = run("verify")
    assert ran.err == "croupier: croupier verify needs JOURNAL; see croupier verify --help.\n"
    ran = run("recall", "house", "--patron")
    assert ran.code == 2
    assert ran.err == (
        "croupier: --patron needs a value behind it; see croupier recall --help.\n"
    )
