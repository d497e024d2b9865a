// What a page with a board asks for once it is there, in one file: see web/bundle.py.

import "./time_zone.js";
import "./late_styles.js";
import "./board_gestures.js";
import "./arrow_keys.js";
import "./painted_cells.js";
import "./kept_input.js";
import "./focus.js";
import "./wake_lock.js";
import "./join_by_link.js";
