"""Amounts in words, as a ticket has them beside the figures."""

from __future__ import annotations

from typing import Final

SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES: Final = ("", " thousand", " million", " billion", " trillion", " quadrillion")
FIGURES: Final = "零壹贰叁肆伍陆柒捌玖"
PLACES: Final = ("", "拾", "佰", "仟")
GROUPS: Final = ("", "万", "亿", "兆", "京")


DOLLARS: Final = frozenset(["AUD", "BND", "CAD", "HKD", "NZD", "SGD", "TWD", "USD"])


def english(cents: int, code: str = "SGD") -> str:
    """Write an amount in English words; ``code`` is that of the currency.

    >>> english(150_000), english(1_21)
    ('One thousand five hundred dollars and no cents', 'One dollar and twenty-one cents')
    >>> english(2_345_678_90)
    'Two million three hundred and forty-five thousand six hundred and seventy-eight dollars\
 and ninety cents'
    >>> english(150_005, "EUR")
    'One thousand five hundred EUR and 05/100'
    """
    whole, rest = divmod(cents, 100)
    if code not in DOLLARS:
        return f"{_number(whole).capitalize()} {code} and {rest:02}/100"
    dollars = f"{_number(whole)} dollar{'' if whole == 1 else 's'}"
    parts = f"{_number(rest) if rest else 'no'} cent{'' if rest == 1 else 's'}"
    return f"{dollars} and {parts}".capitalize()


def _number(number: int) -> str:
    if not number:
        return SMALL[0]
    groups = []
    for scale in SCALES:
        number, group = divmod(number, 1000)
        if group:
            groups.append(f"{_below_thousand(group)}{scale}")
    return " ".join(reversed(groups))


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    said = []
    if hundreds:
        said.append(f"{SMALL[hundreds]} hundred")
    if rest:
        said.append(_below_hundred(rest))
    return " and ".join(said)


def _below_hundred(number: int) -> str:
    if number < len(SMALL):
        return SMALL[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{SMALL[ones]}" if ones else "")


def chinese(cents: int) -> str:
    """Write an amount in Chinese figures of account.

    >>> chinese(150_000), chinese(1_21), chinese(100_05), chinese(100_010_00)
    ('壹仟伍佰元整', '壹元贰角壹分', '壹佰元零伍分', '壹拾万零壹拾元整')
    """
    whole, rest = divmod(cents, 100)
    tenths, hundredths = divmod(rest, 10)
    said = f"{_groups(whole) or FIGURES[0]}元"
    if not rest:
        return f"{said}整"
    if tenths:
        said += f"{FIGURES[tenths]}角"
    elif whole:
        said += FIGURES[0]
    return said + (f"{FIGURES[hundredths]}分" if hundredths else "")


def _groups(number: int) -> str:
    """Write a whole number, four figures at a time."""
    groups: list[int] = []
    while number:
        number, group = divmod(number, 10_000)
        groups.append(group)
    said, gap = "", False
    for place in reversed(range(len(groups))):
        group = groups[place]
        if not group:
            gap = True
            continue
        if said and (gap or group < 1_000):  # noqa: PLR2004  # the first of four figures is missing
            said += FIGURES[0]
        said += _four(group) + GROUPS[place]
        gap = False
    return said


def _four(number: int) -> str:
    said, gap = "", False
    for place in (3, 2, 1, 0):
        figure = number // 10**place % 10
        if not figure:
            gap = bool(said)
            continue
        said += (FIGURES[0] if gap else "") + FIGURES[figure] + PLACES[place]
        gap = False
    return said
