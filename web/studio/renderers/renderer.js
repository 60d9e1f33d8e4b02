// The two renderers, which draw the same pictures, those of `sinew render`. They know nothing of the page and of what
// plays; cameras are made by camera.js.
//
//   renderer.kind                        'webgl' or 'webgpu'
//   renderer.addModel(asset)             -> Promise<Model>: an asset on the GPU, for any number of characters
//       model.notes                      what is not as the file has it, in words for people, such as missing images
//       model.pose(mixer, target?)       -> Float32Array: the pose that a mixer has now, kept for a ghost
//       model.dispose()
//   renderer.draw(view, things)
//       view.camera                      { eye, viewProjection }
//       view.box                         { least, most } around all that throws a shadow
//       view.floor                       { height, radius }: where the ground is, and of what size that is which stands
//                                        on it; without it they follow the box
//       view.ground                      whether there is a ground, with its grid and shadows
//       view.background                  'default', 'transparent' or 0xRRGGBB
//       view.dark                        the default background is dark
//       view.fade                        how much is taken away of all but ghosts, for what lies behind to show; 0 to 1
//       view.wireframe                   the edges of all triangles over their surfaces
//       things                           [{ model, mixer, place }]: a character each. `place` is a matrix of 3 rows, 12
//                                        floats, upright without it
//                                        [{ model, mixers, places }]: a crowd, drawn at once
//                                        [{ model, pose, place, ghost }]: a ghost, { opacity, tint }, in a kept pose or
//                                        in that of a mixer; things that share one are one. Ghosts are drawn in their
//                                        order, each behind what comes after it, and throw no shadow
//   renderer.resize(width, height)       in pixels, of the canvas too
//   renderer.read()                      -> Promise<ImageData>: what was last drawn, in sRGB, alpha not multiplied
//   renderer.onLost                      is called with a reason when the browser takes the GPU away; it draws no more
//   renderer.dispose()                   gives all of its memory back, with all models; the canvas is of no more use
import { WebglRenderer } from './webgl.js';
import { WebgpuRenderer } from './webgpu.js';

const RENDERERS = { webgl: WebglRenderer, webgpu: WebgpuRenderer };

// Throws an Error for people where the browser has none of that kind. A canvas can have only one renderer, ever.
export async function createRenderer(kind, canvas) {
    return RENDERERS[kind].create(canvas);
}
