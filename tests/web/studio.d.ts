// SPDX-License-Identifier: MIT
// What the studio uses and TypeScript 7.0 does not declare: WebGPU's flags. types.mjs checks the studio with it.
declare const GPUBufferUsage: Record<'COPY_DST' | 'INDEX' | 'MAP_READ' | 'STORAGE' | 'UNIFORM' | 'VERTEX', GPUBufferUsageFlags>;
declare const GPUMapMode: Record<'READ', GPUMapModeFlags>;
declare const GPUTextureUsage: Record<'COPY_DST' | 'COPY_SRC' | 'RENDER_ATTACHMENT' | 'TEXTURE_BINDING', GPUTextureUsageFlags>;
