// Draws with WebGPU; not yet.
export class WebgpuRenderer {
    static async create() {
        throw new Error('this page does not draw with WebGPU yet');
    }
}
