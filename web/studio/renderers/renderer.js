// SPDX-License-Identifier: MIT
// The two renderers. They draw the same pictures, with the materials of glTF under a key light and an environment, and
// know neither the page nor the mixers' actions. Cameras are made by camera.js.
//
//   renderer.kind                        'webgl' or 'webgpu'
//   renderer.addModel(asset, file)       -> Promise<Model>: an asset on the GPU, for any number of characters. `file`
//                                        has the bytes of its file, for the materials: an asset has base colours only
//       model.notes                      messages about differences to the file, such as missing images
//       model.pose(mixer, target?)       -> Float32Array: a copy of the mixer's current pose, for a ghost
//       model.dispose()
//   renderer.draw(view, objects)
//       view.camera                      { eye, viewProjection }
//       view.box                         { least, most }: the bounding box of all objects that cast a shadow
//       view.floor                       { height, radius }: the height of the ground, and the size of the model on it;
//                                        without it both follow the box
//       view.ground                      whether to draw a ground with a grid and shadows
//       view.background                  'default', 'transparent' or 0xRRGGBB
//       view.dark                        whether the default background is dark
//       view.fade                        the transparency of all objects except ghosts, 0 to 1
//       view.wireframe                   whether to draw the edges of all triangles over their surfaces
//       objects                          [{ model, mixer, world }]: characters. `world` is a row-major 3x4 matrix of 12
//                                        floats, by default the identity
//                                        [{ model, mixers, worlds }]: a crowd, in one draw
//                                        [{ model, pose, world, ghost }]: a ghost, { opacity, tint }, in a copied pose
//                                        or in that of a mixer; several objects may have one ghost. Ghosts are drawn
//                                        in order, each behind everything after it, and cast no shadow
//   renderer.resize(width, height)       in pixels; also resizes the canvas
//   renderer.read()                      -> Promise<ImageData>: the last picture, in sRGB with straight alpha. It is
//                                        called in the task that has drawn the picture
//   renderer.onLost                      called with a reason when the browser removes the GPU; then it draws no more
//   renderer.dispose()                   frees all its memory and models; the canvas cannot be used again
import { WebglRenderer } from './webgl.js';
import { WebgpuRenderer } from './webgpu.js';

const RENDERERS = { webgl: WebglRenderer, webgpu: WebgpuRenderer };

// Throws an Error with a message for the user if the browser has no such renderer. A canvas can have only one
// renderer.
export async function createRenderer(kind, /** @type {HTMLCanvasElement} */ canvas) {
    return RENDERERS[kind].create(canvas);
}
