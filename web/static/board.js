// The scripts that a page with a board loads after itself, in one file: see web/bundle.py.

import "./late_styles.js";
import "./kept_input.js";
import "./focus.js";
import "./in_sight.js";
import "./join_by_link.js";
import "./rest.js";
