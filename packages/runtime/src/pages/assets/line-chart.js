const [width, height, base] = [240, 56, 55.5];

/**
 * The path of a line through points in time, the newest at the right edge; where a value is null the line has a gap.
 * @param points `{ at, value }`, oldest first; `at` in the same unit as `span`
 */
export function linePath(points, { now, span, max }) {
  let path = '';
  let isDrawing = false;
  for (const { at, value } of points) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = round(width - ((now - at) / span) * width);
    const y = round(base - (Math.min(value, max) / max) * (height - 4));
    // A lone point is drawn as a short line: nothing else would be seen of it.
    path += isDrawing ? `L${x} ${y}` : `M${round(x - 1)} ${y}L${x} ${y}`;
    isDrawing = true;
  }
  return path;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
