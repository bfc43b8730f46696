# The Worker under workerd on one's own machine; `./build.sh edge` copies this beside what it built and starts it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    ( name = "main", worker = .edge ),
    ( name = "dist", disk = ( writable = false, allowDotfiles = false ) ),  # --directory-path says where
  ],
  sockets = [ ( name = "http", http = (), service = "main" ) ],             # --socket-addr says where
);

const edge :Workerd.Worker = (
  modules = [
    ( name = "worker.mjs", esModule = embed "worker.mjs" ),
    ( name = "wasm_exec.js", esModule = embed "wasm_exec.js" ),
    ( name = "runtime.mjs", esModule = embed "runtime.mjs" ),
    ( name = "bounded.mjs", esModule = embed "bounded.mjs" ),
    ( name = "app.wasm", wasm = embed "app.wasm" ),
  ],
  compatibilityDate = "2026-11-01",
  bindings = [ ( name = "ASSETS", service = "dist" ) ],
);
