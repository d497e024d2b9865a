// The picture of a flat thing from any viewpoint: the places of its four corners determine all others.

/** @typedef {[x: number, y: number]} Point */

// The projective map that takes four points to four others, as a to h of
// x' = (a x + b y + c) / (g x + h y + 1), y' = (d x + e y + f) / (g x + h y + 1): eight linear equations (Gauss, Jordan).
/** @param {Point[]} from @param {Point[]} to */
export const projection = (from, to) => {
  const rows = from.flatMap(([x, y], corner) => {
    const [u, v] = to[corner];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v]
    ];
  });
  for (let at = 0; at < 8; at += 1) {
    let pivot = at;
    for (let row = at + 1; row < 8; row += 1) if (Math.abs(rows[row][at]) > Math.abs(rows[pivot][at])) pivot = row;
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    for (const row of rows) {
      if (row === rows[at]) continue;
      const times = row[at] / rows[at][at];
      for (let column = at; column < 9; column += 1) row[column] -= times * rows[at][column];
    }
  }
  return rows.map((row, at) => row[8] / row[at]);
};
/** The same in CSS. @param {number[]} map */
export const matrix = ([a, b, c, d, e, f, g, h]) =>
  `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, 1].join()})`;
/** Whether corners can be such a picture: they neither cross nor lie in a line. @param {Point[]} corners */
export const convex = (corners) =>
  corners.every(([x, y], corner) => {
    const [[x1, y1], [x2, y2]] = [corners[(corner + 1) % 4], corners[(corner + 2) % 4]];
    return (x1 - x) * (y2 - y1) - (y1 - y) * (x2 - x1) > 0;
  });
