"""Fief, phase 5: purchases and gifts (`FI-50` to `FI-57`).

In order: `purse` (`FI-50`), `castles` (`FI-51`), `titles` (`FI-52`), `cardinals` (`FI-53`, `FI-54`), `lord_cards`
(`FI-54`), `gifts` (`FI-55` to `FI-57`).
"""
