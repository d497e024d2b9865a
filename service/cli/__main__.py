"""``python -m service.cli``."""

import sys

from service.cli.commands import main

sys.exit(main())
