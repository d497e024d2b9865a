"""Fief, phase 7: combats (`FI-70` to `FI-77`).

In order: `camps` (`FI-70`), `strengths` (`FI-71`, `FI-72`, `FI-76`), `dice` (`FI-73`), `conquest` (`FI-74`, `FI-75`),
`sieges` (`FI-77`).
"""
