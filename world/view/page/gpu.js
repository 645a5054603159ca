// A thin layer over WebGL2: programs with their uniforms, and attributes that
// are read straight out of a buffer.

// compile makes a program of one of shaders.js. Attributes get the locations
// of their order.
export function compile(gl, { vertex, fragment, attributes }) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  attributes.forEach((name, i) => gl.bindAttribLocation(program, i, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
  const at = {};
  for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0; i-- > 0;) {
    const { name } = gl.getActiveUniform(program, i);
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at, array: gl.createVertexArray() };
}

// attribute reads location from the buffer that is bound: size numbers of a
// type, every stride bytes from an offset on. each is 1 when they are for each
// instance, 0 when for each vertex. Whole numbers become 0..1.
export function attribute(gl, location, size, type, stride, offset, each) {
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, stride, offset);
  gl.vertexAttribDivisor(location, each);
}

// store fills a buffer with what seldom changes.
export function store(gl, buffer, data) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
}
