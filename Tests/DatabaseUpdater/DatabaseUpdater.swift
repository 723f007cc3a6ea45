import Glibc
import PluginAPI
import PluginStore
import PluginTesting
import PluginText
import Synchronization

@testable import PathCase

/// A separate process for tests of updates that are killed or run out of space: it works on a persistent folder.
@main enum DatabaseUpdater {
  /// Runs one of these commands.
  ///
  /// - `run HOME RESOURCES LINE…`: runs each line of commands; a `+` on standard output when it begins, a `.` after
  ///   each line. `observe NAME` keeps an observation.
  /// - `look HOME RESOURCES LINE…`: the same as a user without rights; the result of each line is printed, with the codes
  ///   of what was told besides.
  /// - `install FOLDER DOCUMENTS STEP`: takes a folder of documents into use and kills itself at a step.
  /// - `limit FOLDER DOCUMENTS BYTES`: the same to its end, with files of at most so many bytes.
  /// - `nobody FOLDER DOCUMENTS`: the same as a user without rights.
  /// - `digest RESOURCES THREADS PATHWAYS`: links, lays out, draws and analyses so many pathways of the bundled database
  ///   on so many threads, and prints a digest of all that came of it.
  ///
  /// Errors are reported by their codes, with status 1.
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count > 2 else { exit(2) }
    do {
      switch words[0] {
      case "run": try await run(words)
      case "look":
        loseRights()
        try await look(words)
      case "install":
        try await install(words) { step in if step.rawValue == words[3] { kill(getpid(), SIGKILL) } }
      case "limit":
        var limit = rlimit(rlim_cur: UInt(words[3]) ?? 0, rlim_max: UInt(words[3]) ?? 0)
        signal(SIGXFSZ, SIG_IGN)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try await install(words) { _ in }
      case "nobody":
        loseRights()
        try await install(words) { _ in }
      case "digest": print(try await digest(words[1], threads: Int(words[2]) ?? 1, pathways: Int(words[3]) ?? 1))
      default: exit(2)
      }
    } catch {
      print((error as? any ReportableError)?.report.code ?? "\(error)")
      exit(1)
    }
  }

  private static func run(_ words: [String]) async throws {
    let host = try await TestPlugin(PathCasePlugin(), resources: words[2], isOffline: false, home: words[1])
    tell("+")
    for line in words.dropFirst(3) {
      let parts = line.split(separator: " ").map(String.init)
      if parts.first == "observe", let store = try host.context.store(UserDataStore.storeName) as? UserDataStore {
        let rows = [SavedObservation(pool: "a-c", levels: LevelSet([.available]))]
        try await store.save(SavedObservations(name: parts[1], rows: rows))
      } else {
        _ = try await host.run(line: line)
      }
      tell(".")
    }
  }

  private static func loseRights() {
    if geteuid() == 0 { setuid(65_534) }
  }

  private static func look(_ words: [String]) async throws {
    let host = try await TestPlugin(PathCasePlugin(), resources: words[2], home: words[1])
    for line in words.dropFirst(3) {
      do {
        let result = try await host.run(line: line)
        print("\(line): \(result.value) \(result.diagnostics.map(\.code))")
      } catch let error as any ReportableError {
        print("\(line): \(error.report.code)")
      }
    }
  }

  private static func install(
    _ words: [String], onStep: @escaping @Sendable (SnapshotStore.Step) -> Void
  ) async throws {
    let fetched = try await SnapshotUpdater(source: .folder(words[2])).run()
    try SnapshotStore(folder: words[1], onStep: onStep).install(
      fetched.database, origin: SnapshotOrigin(sha256: fetched.sha256, source: words[2], fetchedAt: 0),
      documents: fetched.documents)
  }

  /// Returns the digest of the results for pathways, independent of the threads that compute them.
  private static func digest(_ resources: String, threads: Int, pathways: Int) async throws -> String {
    let work = SharedWork(count: pathways)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<threads {
        group.addTask {
          try await OwnThread.value { _ in
            // Each thread links for itself.
            let database = try BundledDatabase.open(resources)
            while let number = work.take(), number < database.pathways.count {
              work.put(try Self.result(database, number), at: number)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    return SHA256.hexadecimal(of: Array(work.all.joined(separator: "\n").utf8))
  }

  /// Returns all results for a pathway, as text.
  private static func result(_ database: MetabolicDatabase, _ pathway: Int) throws -> String {
    let graph = database.graph(ofPathway: pathway)
    let layout = LayeredLayout.layout(graph)
    var network = database.scenarioNetwork(ofPathways: [pathway])
    network.closeEnds()
    let scenarios = try ScenarioAnalysis(network).page(count: 100)
    let documents = ContractWriter.documents(of: database.records).map(\.entry.sha256)
    return "\(layout.places) \(layout.routes) \(TextDrawing(graph, layout).text) \(scenarios) \(documents)"
  }

  private static func tell(_ letter: StaticString) {
    _ = letter.withUTF8Buffer { write(1, $0.baseAddress, 1) }
  }
}

/// The source of work for threads, and the store of their results.
private final class SharedWork: Sendable {
  private let state: Mutex<(next: Int, results: [String])>

  init(count: Int) { state = Mutex((0, [String](repeating: "", count: count))) }

  /// Returns the number of the next piece; nil if none is left.
  func take() -> Int? {
    state.withLock { state in
      state.next += 1
      return state.next <= state.results.count ? state.next - 1 : nil
    }
  }

  func put(_ result: String, at number: Int) { state.withLock { $0.results[number] = result } }

  var all: [String] { state.withLock { $0.results } }
}
