import BenchmarkSupport
import Glibc
import PluginStore
import PluginText

@testable import Molecules

/// Kills the real program while it writes into the library, and checks the library afterwards.
///
/// A script imports molecules one after the other and deletes every third again; it is killed at a moment drawn by the
/// seed. Before every other script a file is dropped among the originals, or all molecules are marked as read by older
/// readers, so that kills also hit importing and re-reading. Then the program is started again: every store must be
/// intact, and the library must be in the state after some number of steps of the script, at least as many as were
/// reported as done.
final class StoreKills {
  private let workbench: String
  private let scratch = ScratchFolder()
  private var random: SplitMix64
  private let seed: Int
  /// The codes in the library, and the number ever made.
  private var codes: Set<String> = []
  private var made = 0
  private var findings: [String] = []
  /// The steps of scripts that a new start found done.
  private var done = 0

  private static let importsPerRun = 120
  private static let latestKill = 900
  /// The number of molecules after which a new library is begun, so that lists stay short.
  private static let mostMolecules = 400

  /// A step of a script, and the contents of the library after it.
  private struct Step {
    var line: String
    var after: Set<String>
  }

  init(workbench: String, seed: Int) {
    self.workbench = workbench
    self.seed = seed
    random = SplitMix64(seed: UInt64(seed))
  }

  /// Runs it and prints a line of JSON.
  func run(count: Int) throws {
    let start = Timing.milliseconds()
    defer { removeHome() }
    beginLibrary()
    var cut = 0
    for round in 0..<count where findings.count < 20 {
      if codes.count > Self.mostMolecules { beginLibrary() }
      if round % 2 == 0 { try drop() } else { try outdate() }
      let steps = try makeSteps()
      let script = try scratch.write(Array(steps.map(\.line).joined(separator: "\n").utf8), name: "steps.wbs")
      let delay = Double(1 + random.next(below: Self.latestKill))
      let (status, output) = Program.output([workbench, "script", script, "--json"], killAfter: delay)
      let told = output.utf8.count { $0 == 10 }
      if status == 128 + SIGKILL { cut += 1 } else if status != 0 { findings.append("kill \(round): status \(status)") }
      look(round, steps: steps, told: told)
      scratch.removeFiles()
    }
    let seconds = ((Timing.milliseconds() - start) / 1000).rounded()
    let list = findings.map { "\"\($0)\"" }.joined(separator: ",")
    print(
      "{\"name\":\"kills\",\"seed\":\(seed),\"runs\":\(count),\"killed\":\(cut),\"stepsDone\":\(done),"
        + "\"seconds\":\(seconds),\"findings\":[\(list)]}")
    if !findings.isEmpty { exit(1) }
  }

  /// Creates a home whose library has the starters.
  private func beginLibrary() {
    removeHome()
    setenv("WORKBENCH_HOME", scratch.path + "/home", 1)
    codes = Set(list() ?? [])
  }

  private func removeHome() { _ = Program.run(["rm", "-rf", scratch.path + "/home"]) }

  private var libraryFolder: String { scratch.path + "/home/data/stores/molecules" }

  /// Puts a file of a new molecule among the originals, as a user might; the next start must import it.
  private func drop() throws {
    made += 1
    let code = Self.code(made)
    guard let file = fopen(libraryFolder + "/originals/dropped-\(code).pdb", "w") else { return }
    let bytes = Self.molecule(code)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    codes.insert(code)
  }

  /// Marks all molecules as read by older readers, as after an update of the program.
  private func outdate() throws {
    try library().blockingSession { try $0.write { try $0.execute("UPDATE molecule SET reading = 0") } }
  }

  /// Returns the library's database as this process sees it.
  private func library() -> SQLiteStore {
    SQLiteStore(name: "library", path: libraryFolder + "/library.sqlite", migrations: LibraryMigrations.all)
  }

  /// Returns the number of molecules that these readers have not read, or that have no search words.
  private func unfinished() throws -> Int {
    try library().blockingSession { session in
      try session.read { connection in
        let outdated = try connection.value(
          "SELECT count(*) FROM molecule WHERE reading < ?", [LibraryStore.reading]
        ).integer
        let wordless = try connection.value(
          "SELECT abs((SELECT count(*) FROM molecule) - (SELECT count(*) FROM molecule_words))"
        ).integer
        return (outdated ?? 0) + (wordless ?? 0)
      }
    }
  }

  private func makeSteps() throws -> [Step] {
    var (steps, inside, own): ([Step], Set<String>, [String]) = ([], codes, [])
    for _ in 0..<Self.importsPerRun {
      made += 1
      let code = Self.code(made)
      let file = try scratch.write(Self.molecule(code), name: code + ".pdb")
      inside.insert(code)
      own.append(code)
      steps.append(Step(line: "molecules import '\(file)'", after: inside))
      if made % 3 == 0 {
        let gone = own.remove(at: random.next(below: own.count))
        inside.remove(gone)
        steps.append(Step(line: "molecules delete \(gone) --yes", after: inside))
      }
    }
    return steps
  }

  /// Checks the state that a new start finds.
  private func look(_ round: Int, steps: [Step], told: Int) {
    guard let found = list() else { return findings.append("kill \(round): the library cannot be listed") }
    let (status, problems) = Program.output([workbench, "store", "check", "--json"])
    if status != 0 || !problems.hasPrefix("[]") { findings.append("kill \(round): a store is not whole") }
    if (try? unfinished()) != 0 { findings.append("kill \(round): a molecule was not read anew or has no words") }
    let states = [codes] + steps.map(\.after)
    let now = Set(found)
    if now.count != found.count { findings.append("kill \(round): a molecule is there twice") }
    if let step = states.indices.dropFirst(told).first(where: { states[$0] == now }) {
      done += step
    } else {
      findings.append("kill \(round): \(told) steps were told, but the library is as after none from there on")
    }
    codes = now
  }

  /// Returns the codes in the library; of molecules without one, their titles.
  private func list() -> [String]? {
    let (status, text) = Program.output([workbench, "molecules", "list", "--csv"])
    guard status == 0 else { return nil }
    let rows = text.split(whereSeparator: \.isNewline).dropFirst()
    return rows.map { row in
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      return fields.count > 2 ? fields[1].isEmpty ? String(fields[2]) : String(fields[1]) : String(row)
    }
  }

  private static func code(_ number: Int) -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    // A digit first, as in the codes of the Protein Data Bank.
    let places = [number / 46_656 % 9 + 1, number / 1296 % 36, number / 36 % 36, number % 36]
    return String(places.map { digits[$0] })
  }

  /// Thirty atoms with a header.
  private static func molecule(_ code: String) -> [UInt8] {
    func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: width - text.count) + text }
    var text = "HEADER    TEST" + String(repeating: " ", count: 48) + code + "\nTITLE     \(code) WRITTEN FOR KILLS\n"
    for number in 1...30 {
      let place = right("\(number).000", 8) + "   0.000   0.000"
      text += "ATOM  " + right("\(number)", 5) + "  CA  ALA A" + right("\(number)", 4) + "    " + place
      text += "  1.00 10.00           C\n"
    }
    return Array((text + "END\n").utf8)
  }
}
