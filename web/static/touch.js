// What a page with a board gains once somebody touches it, in one file: fingers and keys on the board, and the rest that no
// first view needs.

import "./time_zone.js";
import "./board_gestures.js";
import "./arrow_keys.js";
import "./painted_cells.js";
import "./wake_lock.js";
