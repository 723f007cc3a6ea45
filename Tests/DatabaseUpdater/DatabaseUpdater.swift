import Glibc
import PluginAPI
import PluginTesting

@testable import PathCase

/// A process of its own for tests of updates that are killed, or that find no room: works over a folder that stays.
@main enum DatabaseUpdater {
  /// Does one of these things.
  ///
  /// - `run HOME RESOURCES LINE…`: runs each line of commands; a `+` on standard output when it begins, a `.` after
  ///   each line. `observe NAME` keeps an observation.
  /// - `install FOLDER DOCUMENTS STEP`: takes a folder of documents into use and kills itself at a step.
  /// - `limit FOLDER DOCUMENTS BYTES`: the same to its end, with files of at most so many bytes.
  /// - `nobody FOLDER DOCUMENTS`: the same as a user without rights.
  ///
  /// What fails is told in the words of its code, with status 1.
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count > 2 else { exit(2) }
    do {
      switch words[0] {
      case "run": try await run(words)
      case "install":
        try await install(words) { step in if step.rawValue == words[3] { kill(getpid(), SIGKILL) } }
      case "limit":
        var limit = rlimit(rlim_cur: UInt(words[3]) ?? 0, rlim_max: UInt(words[3]) ?? 0)
        signal(SIGXFSZ, SIG_IGN)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try await install(words) { _ in }
      case "nobody":
        if geteuid() == 0 { setuid(65_534) }
        try await install(words) { _ in }
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
        try await store.save([SavedObservation(pool: "a-c", levels: LevelSet([.available]))], as: parts[1])
      } else {
        _ = try await host.run(line: line)
      }
      tell(".")
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

  private static func tell(_ letter: StaticString) {
    _ = letter.withUTF8Buffer { write(1, $0.baseAddress, 1) }
  }
}
