import BenchmarkSupport
@preconcurrency import Glibc

// Calls of `workbench serve --stdio`, one after the other, against a loop of Python's that reads a line of JSON and
// writes the same answer; interleaved in blocks, so that other work on the machine meets both.
// Usage: ServeBenchmark PATH-OF-WORKBENCH

guard CommandLine.arguments.count == 2 else { fatalError("usage: ServeBenchmark PATH-OF-WORKBENCH") }
// A program that ended must not end this one.
signal(SIGPIPE, SIG_IGN)

/// The peer: the cost of a call in a server of 12 lines, without any work.
let echo = """
  import json, sys
  for line in sys.stdin:
      request = json.loads(line)
      result = {"version": "0.1.0", "contract": 1, "oldestContract": 1, "compiler": "none"}
      print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
  """

/// Returns the line of a request.
func request(_ id: Int, _ method: String, _ parameters: String) -> [UInt8] {
  Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(parameters)}\n".utf8)
}

/// Returns the times of calls in microseconds; nil if the program ended.
func times(_ server: Conversation, _ count: Int, _ method: String, _ parameters: String) -> [Double]? {
  var times: [Double] = []
  for id in 1...count {
    let line = request(id, method, parameters)
    let start = Timing.milliseconds()
    guard server.exchange(line) != nil else { return nil }
    times.append((Timing.milliseconds() - start) * 1000)
  }
  return times
}

/// The calls that are measured.
let calls: [(name: String, method: String, parameters: String, bar: Double?)] = [
  ("version", "version", "{}", 150), ("hello", "hello", "{}", nil),
  ("molecules.list", "molecules.list", "{}", nil), ("plugin.list", "plugin.list", "{}", nil),
]

func measure() {
  guard let server = Conversation([CommandLine.arguments[1], "serve", "--stdio"]),
    let peer = Conversation(["python3", "-c", echo])
  else { return Measurement.skip("serve", because: "the program or python3 cannot be started") }
  defer {
    server.end()
    peer.end()
  }
  for call in calls {
    // The first calls load plugins.
    guard times(server, 100, call.method, call.parameters) != nil, times(peer, 100, "echo", "{}") != nil else {
      return Measurement.skip("serve: \(call.name)", because: "a program ended")
    }
    var (ours, others): ([Double], [Double]) = ([], [])
    for _ in 0..<20 {
      ours += times(server, 200, call.method, call.parameters) ?? []
      others += times(peer, 200, "echo", "{}") ?? []
    }
    let python = ("Python, a loop of json", Timing.median(others))
    Measurement("serve: \(call.name), p50", Timing.median(ours), unit: "µs", peer: python, bar: call.bar).print()
    let slowest = ("Python, a loop of json", Timing.quantile(others, 0.99))
    Measurement("serve: \(call.name), p99", Timing.quantile(ours, 0.99), unit: "µs", peer: slowest).print()
  }
}

measure()
