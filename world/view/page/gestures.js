// This module turns mouse, touch and wheel events on the stage into hover, click, drag, pan and zoom. One
// pointer drags, two pointers pan and zoom, and the wheel zooms.

const SLOP = { mouse: 5, touch: 12 }; // pixels that the pointer may move during a click or a tap

// listen calls the methods of on, with x and y in CSS pixels on the stage:
//   press(x, y, event), which returns true to take the drag (otherwise the drag pans), drag(x, y, event),
//   drop(x, y, event), cancel(), which ends a drag in place of drop, click(x, y, event), hover(x, y, event),
//   leave(), pan(dx, dy), zoom(factor, x, y).
export function listen(stage, on) {
  const down = new Map(); // pointer id → last place
  let first = null; // where the last pointer was pressed
  let grabbed = false, moved = false;
  const slop = (e) => SLOP[e.pointerType] ?? SLOP.mouse;
  const place = (e) => {
    const r = stage.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };

  stage.addEventListener("pointerdown", (e) => {
    if (e.button > 2) return;
    stage.setPointerCapture(e.pointerId);
    stage.focus({ preventScroll: true });
    const [x, y] = place(e);
    if (down.size === 1 && grabbed) { // with a second finger, it is no longer a drag
      on.cancel();
      grabbed = false;
    }
    down.set(e.pointerId, [x, y]);
    moved = down.size > 1;
    first = { x, y };
    grabbed = down.size === 1 && e.button === 0 && on.press(x, y, e) === true;
  });

  stage.addEventListener("pointermove", (e) => {
    const [x, y] = place(e), last = down.get(e.pointerId);
    if (!last) return on.hover(x, y, e);
    if (Math.hypot(x - first.x, y - first.y) >= slop(e)) moved = true;
    if (!moved && !grabbed) return;
    if (down.size === 2) pinch(e.pointerId, last, [x, y]);
    else if (grabbed) on.drag(x, y, e);
    else on.pan(x - last[0], y - last[1]);
    down.set(e.pointerId, [x, y]);
  });

  const end = (e) => {
    if (!down.delete(e.pointerId)) return;
    const [x, y] = place(e);
    if (grabbed && e.type === "pointerup") on.drop(x, y, e);
    else if (grabbed) on.cancel();
    if (!moved && down.size === 0 && e.type === "pointerup") on.click(x, y, e);
    grabbed = false;
  };
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  stage.addEventListener("pointerleave", () => on.leave());
  stage.addEventListener("contextmenu", (e) => e.preventDefault());

  stage.addEventListener("wheel", (e) => {
    // The wheel scrolls the page around an embedded stage until the viewer has clicked into the stage.
    if (document.documentElement.classList.contains("embedded") && !(e.ctrlKey || e.metaKey || stage.matches(":focus"))) return;
    e.preventDefault();
    const lines = [1, 16, 400][e.deltaMode];
    const speed = e.ctrlKey ? 0.01 : 0.0015; // browsers report a pinch on a touchpad as ctrl and wheel
    const [x, y] = place(e);
    on.zoom(Math.exp(-Math.max(-400, Math.min(400, e.deltaY * lines)) * speed), x, y);
  }, { passive: false });

  // pinch pans by the motion of the middle of two pointers, and zooms by the change of their distance.
  function pinch(id, was, is) {
    let other = null;
    for (const [key, at] of down) if (key !== id) other = at;
    const middle = (p) => [(p[0] + other[0]) / 2, (p[1] + other[1]) / 2];
    const far = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
    const [ax, ay] = middle(was), [bx, by] = middle(is);
    on.pan(bx - ax, by - ay);
    on.zoom(far(is) / far(was), bx, by);
  }
}
