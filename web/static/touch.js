// The scripts that a page with a board loads at the first touch, in one file: fingers and keys on the board, and the
// rest that the first view does not need.

import "./time_zone.js";
import "./board_gestures.js";
import "./arrow_keys.js";
import "./painted_cells.js";
import "./wake_lock.js";
