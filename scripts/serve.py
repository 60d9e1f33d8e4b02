#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Serves a folder to this machine only, and prints the address: scripts/serve.py FOLDER [PORT]

Where the port (8080) is taken, it is the next one that is free, of twenty."""
import errno
import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    # Browsers refuse modules of another type, whatever this system says of them.
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.js': 'text/javascript',
                      '.wasm': 'application/wasm', '.glb': 'model/gltf-binary', '.gltf': 'model/gltf+json'}

    def end_headers(self):
        self.send_header('Cache-Control', 'no-cache')
        super().end_headers()

    def log_message(self, *_):
        pass


def open_server(folder, port):
    handler = functools.partial(Handler, directory=folder)
    last = min(port + 19, 65535)
    for candidate in range(port, last + 1):
        try:
            return http.server.ThreadingHTTPServer(('127.0.0.1', candidate), handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    sys.exit(f'the ports {port} to {last} are all taken: PORT=N says another')


def read_port(text):
    if text.isdecimal() and 0 < int(text) < 65536:
        return int(text)
    sys.exit(f"a port is a number from 1 to 65535, not '{text}'")


def main():
    port = read_port(sys.argv[2]) if len(sys.argv) > 2 else 8080
    with open_server(sys.argv[1], port) as server:
        print(f'http://127.0.0.1:{server.server_port}/  (Ctrl-C ends it)', flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


main()
