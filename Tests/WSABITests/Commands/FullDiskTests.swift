import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A full disk under every command that writes: one error with a code, and no stored data is lost.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
  /// True if a small file system can be mounted in a separate namespace of the test.
  private static let canMount =
    FileManager.default.isExecutableFile(atPath: BuiltProgram.workbench.path)
    && (try? mounted("true", in: TemporaryFolder(), []).status) == 0

  /// Runs a script in the folder `disk`, a file system of 8 MB.
  private static func mounted(
    _ script: String, in folder: TemporaryFolder, _ arguments: [String]
  ) throws -> BuiltProgram.Outcome {
    try FileManager.default.createDirectory(at: folder.url("disk"), withIntermediateDirectories: true)
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "unshare", "--user", "--map-root-user", "--mount", "bash", "-c",
        "mount -t tmpfs -o size=8m,mode=700 tmpfs \"$0\" && cd \"$0\" || exit 1\n" + script,
        folder.url("disk").path,
      ] + arguments,
      environment: ["WORKBENCH_HOME": folder.url("disk/home").path, "WORKBENCH_PLUGIN_PATH": nil],
      deadlineInSeconds: 500)
  }

  /// The lines of each command that writes, without the options that open the store.
  ///
  /// `KEY` is a key file beside the disk, `SENSOR` and `OTHER` the addresses of sensors, `OUT` a folder on the full
  /// disk, `EXPORT` a file to import, `BACKUP` a backup of the store. `$session` holds the lock of the other sensor,
  /// which has the capture `$held`.
  private static let lines: [String: [String]] = [
    "item annotate": ["item annotate 1 --notes dry"],
    "item clear": ["item clear 1 --yes"],
    "item add": ["item add 1 --submodality LeftThumbFlat --sensor SENSOR"],
    "item edit": ["item edit 1 --sensor-name other"],
    "item delete": ["item delete 2 --yes"],
    "capture": ["capture 2", "capture 1"],
    "export": ["export 1 --to OUT/ada", "export 1 --to OUT/ada.zip", "export 1 --to OUT/ada.an2"],
    "import": ["import EXPORT --allow-known-data"],
    "operations resume": ["operations resume"],
    "store restore": ["store restore EXPORT --yes", "store restore BACKUP --yes"],
    "operations discard": ["operations discard 99 --yes"],
    "person add": ["person add --first-name Ben"],
    "person edit": ["person edit 1 --notes 'a note that is somewhat longer than nothing'"],
    "person duplicate": ["person duplicate 1"],
    "person delete": ["person delete 1 --yes"],
    "person check": ["person check 1"],
    "person enroll": ["person enroll 1"],
    "sensor begin-capture": ["sensor begin-capture OTHER --session $session"],
    "sensor cancel": ["sensor cancel OTHER"],
    "sensor capture": ["sensor capture OTHER --session $session"],
    "sensor download": ["sensor download OTHER $held --output OUT/whole.bmp"],
    "sensor end-capture": ["sensor end-capture OTHER --session $session"],
    "sensor forget": ["sensor forget left-desk"],
    "sensor raw-download": ["sensor raw-download OTHER $held --output OUT/raw.bmp"],
    "sensor steal": ["sensor steal SENSOR --yes"],
    "sensor thrifty-download": ["sensor thrifty-download OTHER $held --max-size 50 --output OUT/small.bmp"],
    "sensor unlock": ["sensor unlock SENSOR"],
    "store init": ["store init --new-key-file OUT/second.key --user ben"],
    "store lock": ["store lock"],
    "store change-key": ["store change-key --new-key-file OUT/third.key"],
    "store change-master-key": ["store change-master-key"],
    "store purge": ["store purge"],
    "role": ["role anna admin"],
    "store add-user": ["store add-user ben operator --new-key-file OUT/ben.key"],
    "store remove-user": ["store remove-user anna --yes"],
  ]

  /// Commands that run with some space left, so that the disk fills in the middle; none of them deletes anything.
  private static let linesWithRoom = [
    "person add --first-name Ben", "person edit 1 --notes 'a note that is somewhat longer than nothing'",
    "person enroll 1", "export 1 --to OUT/ROOM.zip", "import EXPORT --allow-known-data", "capture 2",
    "sensor download OTHER $held --output OUT/ROOM.bmp", "sensor capture OTHER --session $session",
  ]
  private static let roomInKilobytes = [16, 32, 64, 96, 160]

  /// Commands that run while there is room, before and after.
  private static let before = [
    "wsabi store init --new-key-file KEY --user anna",
    "wsabi person add --first-name Ada --last-name Lovelace --key-file KEY",
    "wsabi item add 1 --submodality RightIndexFlat --sensor SENSOR --sensor-name left-desk --key-file KEY",
    "wsabi item add 1 --submodality LeftIndexFlat --sensor SENSOR --key-file KEY",
    "wsabi capture 1 --key-file KEY",
    "wsabi export 1 --to EXPORT --key-file KEY", "store backup wsabi:people BACKUP",
    "wsabi sensor download-info OTHER $held",
  ]
  private static let after = [
    "wsabi person list --json --key-file KEY", "wsabi item captures 1 --json --key-file KEY",
    "wsabi store check --data --key-file KEY", "wsabi log --verify --key-file KEY",
    "wsabi operations resume --json --key-file KEY", "wsabi capture 2 --json --key-file KEY",
    "wsabi item captures 2 --json --key-file KEY",
  ]

  /// Commands that do not write to the store, or only a user's input at a prompt.
  private static let without: Set<String> = ["camera", "sensor setup", "store unlock"]

  @Test func `every writing command has a line in this test`() {
    let writing = WSABIPlugin().contributions.commands.filter { $0.effects.contains(.writes) }
    let known = Set(Self.lines.keys).union(Self.without)
    #expect(Set(writing.map(\.name)).subtracting(known).isEmpty)
  }

  @Test(.enabled(if: canMount, "a user may not mount file systems here"))
  func `every command that writes ends with one coded error, and nothing stored is lost`() async throws {
    let folder = try TemporaryFolder()
    var configuration = SimulatorConfiguration()
    (configuration.sensors, configuration.modalities, configuration.captureSizeInBytes) = (1, [.finger], 20_000)
    let simulator = try SensorSimulator(configuration)
    // Its captures are not stored: they are only at the sensor.
    let other = try SensorSimulator(configuration)
    let words = [
      ("EXPORT", "'\(folder.url("ada.zip").path)'"), ("KEY", folder.url("station.key").path),
      ("SENSOR", simulator.addresses[0]), ("OTHER", other.addresses[0]), ("OUT", "."),
      ("BACKUP", "'\(folder.url("people.backup").path)'"),
    ]
    let lines = Self.lines.sorted { $0.key < $1.key }.flatMap(\.value)
    var runs = lines.map { "fill; try wsabi \($0)" + ($0.hasPrefix("store init") ? "" : " --key-file KEY") }
    for room in Self.roomInKilobytes {
      runs += Self.linesWithRoom.map { line in
        "leave \(room); try wsabi \(line.replacingOccurrences(of: "ROOM", with: "\(room)")) --key-file KEY"
      }
    }
    var script = Self.script(before: Self.before, runs: runs, after: Self.after)
    for (word, text) in words { script = script.replacingOccurrences(of: word, with: text) }
    let arguments = [BuiltProgram.workbench.path, folder.path.path]
    let outcome = try await OnThread.value { [script] in try Self.mounted(script, in: folder, arguments) }
    await simulator.stop()
    await other.stop()
    let told = outcome.output.split(separator: "\n").map(String.init)
    let ends = told.filter { $0.hasPrefix("RUN ") }
    #expect(outcome.status == 0 && ends.count == runs.count, "\(outcome.errors) \(told)")
    for end in ends { Self.check(end) }
    #expect(told.filter { $0.hasPrefix("BEFORE ") }.allSatisfy { $0.hasPrefix("BEFORE 0") }, "\(told)")
    let after = told.filter { $0.hasPrefix("AFTER ") }
    #expect(after.count == Self.after.count && after.allSatisfy { $0.hasPrefix("AFTER 0 ") }, "\(after)")
    #expect(after.first?.contains("Lovelace") == true, "\(after)")
    // Everything that the sensor captured is stored.
    #expect(simulator.ledger.count >= 2)
    for capture in simulator.ledger { #expect(after.contains { $0.contains(capture.sha256) }, "\(after)") }
  }

  /// Checks that a run either needed no room, or ended with one error that names its cause; never by a signal.
  private static func check(_ end: String) {
    let parts = end.split(separator: " ", maxSplits: 2).map(String.init)
    let status = parts.count > 1 ? Int(parts[1]) ?? -1 : -1
    let codes = end.components(separatedBy: "\"error\":").count - 1
    #expect((0...12).contains(status), "\(end)")
    #expect(codes == (status == 0 ? 0 : 1), "\(end)")
    guard status != 0 else { return }
    let fullDisk = [
      "store.disk-full", "wsabi.disk-full", "wsabi.export-file", "wsabi.not-captured", "wsabi.capture-waiting",
    ]
    if status == 1 || status == 6 { #expect(end.contains("room") || end.contains("space"), "\(end)") }
    // These refuse before anything is written.
    let refused = ["wsabi.store-exists", "wsabi.no-journal-entry", "wsabi.last-admin"]
    #expect((fullDisk + refused).contains { end.contains("\"code\":\"\($0)\"") }, "\(end)")
  }

  private static func script(before: [String], runs: [String], after: [String]) -> String {
    """
    wb=$1; folder=$2; count=0
    fill() { count=$((count + 1)); dd if=/dev/zero of="full$count" bs=1k 2>/dev/null; }
    leave() { rm -f full*; dd if=/dev/zero of=spare bs=1k count=$1 2>/dev/null; fill; rm -f spare; }
    try() {
      "$wb" "$@" --json </dev/null >"$folder/out" 2>"$folder/err"
      echo "RUN $? $(tr -d '\\n ' <"$folder/err") LINE $*"
    }
    step() { local name=$1; shift; "$wb" "$@" </dev/null >"$folder/out" 2>"$folder/err"
      echo "$name $? $(cat "$folder/out" "$folder/err" | tr -d '\\n')"; }
    sensor() { "$wb" wsabi sensor "$@" --json </dev/null 2>/dev/null | grep -o '[0-9a-f-]\\{36\\}' | tail -1; }
    session=$(sensor register OTHER)
    for act in lock initialize; do sensor $act OTHER --session $session >/dev/null; done
    held=$(sensor capture OTHER --session $session)
    \(before.map { "step BEFORE \($0)" }.joined(separator: "\n"))
    \(runs.joined(separator: "\n"))
    rm -f full*
    \(after.map { "step AFTER \($0)" }.joined(separator: "\n"))
    """
  }
}
