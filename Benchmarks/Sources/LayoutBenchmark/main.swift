import BenchmarkSupport
import Glibc

@testable import PathCase

// Layouts of metabolic networks and random graphs: crossings and times, compared with Graphviz dot (Debian package
// graphviz), which lays out the same vertices, sizes and edges in the same run, as a process. Crossings are counted the
// same way for both: pairs of edges without a common end of which any pieces cross; dot's splines are cut into eight
// pieces per Bezier piece. The shortest of several rounds counts for us, dot runs once.
//
// Usage: LayoutBenchmark [FOLDER-OF-SHARED-DATA [NAME...]]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        WORKBENCH_BENCH_DOT names dot if it is not in the path
//        WORKBENCH_BENCH_PATIENCE is how many seconds dot gets for the largest graphs (else 60)

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let networks = SharedNetworks(
  folder: (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/pathcase/")
let scratch = ScratchFolder()
defer { scratch.remove() }
let peer = DotPeer(
  program: getenv("WORKBENCH_BENCH_DOT").map { String(cString: $0) } ?? "dot", scratch: scratch)
let patience = getenv("WORKBENCH_BENCH_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 60

/// A file that is laid out, and how.
struct NetworkFileCase {
  var name: String
  var file: String
  /// Adapts the default case.
  var adapt: (inout LayoutCase) -> Void = { _ in }
}

let files = [
  NetworkFileCase(name: "WP534", file: "gpml/WP534.gpml"),
  NetworkFileCase(name: "WP78", file: "gpml/WP78.gpml"),
  NetworkFileCase(name: "RECON1 central", file: "smda/e3_RECON1_gly_tca_ppp.json"),
  NetworkFileCase(name: "e_coli_core without common molecules", file: "smda/e1_e_coli_core_free.json") {
    $0.crossingsBar = 12
  },
  NetworkFileCase(name: "e_coli_core", file: "sbml/e_coli_core.xml"),
  NetworkFileCase(name: "iMM904 central", file: "smda/e6_iMM904_central.json"),
  NetworkFileCase(name: "iJO1366 central", file: "smda/e7_iJO1366_central.json") { $0.crossingsPart = 0.5 },
  NetworkFileCase(name: "iJO1366 without common molecules", file: "sbml/iJO1366.xml.gz") {
    $0.common = .hidden
    $0.timeBar = 3000
    $0.patience = patience * 1000
  },
]
let wanted = Set(arguments.dropFirst(2))
for entry in files where wanted.isEmpty || wanted.contains(entry.name) {
  do {
    var layoutCase = LayoutCase(name: entry.name, graph: try networks.graph(entry.file))
    entry.adapt(&layoutCase)
    try layoutCase.run(peer: peer)
  } catch {
    Measurement.skip("layout of \(entry.name)", because: "\(error)")
  }
}
for (nodes, edges) in [(200, 265), (1000, 1332), (2000, 2665)] {
  let name = "random \(nodes)"
  guard wanted.isEmpty || wanted.contains(name) else { continue }
  var layoutCase = LayoutCase(name: name, graph: SharedNetworks.random(nodes, edges: edges))
  layoutCase.patience = patience * 10_000
  do { try layoutCase.run(peer: peer) } catch { Measurement.skip("layout of \(name)", because: "\(error)") }
}
