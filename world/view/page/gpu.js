// A thin layer over WebGL2: programs with their uniforms, textures and attributes.

// compile returns a program of the shaders, the locations of its uniforms by name, and a vertex array. The
// locations of attributes are their indexes.
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

// attribute reads an attribute from the bound buffer. A value consists of size numbers of a type; the values start
// at an offset and are stride bytes apart. each is 1 for a value per instance, and 0 for a value per vertex. Whole
// numbers are mapped to 0..1.
export function attribute(gl, location, size, type, stride, offset, each) {
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, stride, offset);
  gl.vertexAttribDivisor(location, each);
}

// texture returns a texture with a filter, and without repetition.
export function texture(gl, filter) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, which, filter);
  for (const which of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, which, gl.CLAMP_TO_EDGE);
  return made;
}

// store fills a buffer with data that rarely changes.
export function store(gl, buffer, data) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
}
