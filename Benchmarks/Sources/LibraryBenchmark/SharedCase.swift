import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Molecules

/// Importing into a shared library by one user and by many, and announcing that to another process.
struct SharedCase {
  var scratch: ScratchFolder

  private static let count = 200
  private static let importName = "library: shared import of a small file"
  private static let announcementName = "library: change seen by another client"
  private static let writersName = "library: molecules lost by eight writers"

  /// Starts a server, measures and prints the lines.
  func run() async throws {
    let server: DatabaseServer
    do {
      server = try DatabaseServer()
    } catch {
      for name in [Self.importName, Self.announcementName, Self.writersName] {
        Measurement.skip(name, because: "\(error)")
      }
      return
    }
    let local = try await importing(into: LibraryStore(folder: scratch.path + "/own"))
    let store = LibraryStore(folder: scratch.path + "/shared")
    _ = try await store.share(to: server.address) { _ in }
    let shared = try await importing(into: store)
    Measurement(
      Self.importName, shared, unit: "ms", peer: ("the same into the user's own library", local), maximumRatio: 2
    ).print()
    try await announce(server.address)
    try await writeAtOnce(server.address)
  }

  /// Returns the milliseconds for each file.
  private func importing(into store: LibraryStore) async throws -> Double {
    // The database is created or connected to before.
    _ = try await store.snapshot()
    let files = try (0..<Self.count).map { try SmallMolecule.new("\($0)") }
    let start = Timing.milliseconds()
    for file in files { _ = try await store.add(file) }
    let time = Timing.milliseconds() - start
    await store.close()
    return time / Double(Self.count)
  }
}

/// Molecules of 300 atoms, each with its own digest.
enum SmallMolecule {
  static func new(_ name: String) throws -> NewMolecule {
    let bytes = Array(("REMARK 999 \(name)\n" + ListCase.text).utf8)
    let read = try StructureSource(bytes: bytes, name: name + ".pdb")
    let molecule = Molecule(
      id: nil, format: read.format, file: name + ".pdb", structure: read.structure,
      bonds: [BondPerception.bonds(of: read.structure)])
    return NewMolecule(molecule: molecule, original: bytes, source: name, addedAt: Instant(seconds: 0, nanoseconds: 0))
  }
}

// MARK: Announcements

/// A process that imports a file for each line that it reads, and writes the time at which it began.
struct AnnouncingWriter {
  /// The folder of a shared library.
  var folder: String

  func run() async throws {
    let store = LibraryStore(folder: folder)
    _ = try await store.snapshot()
    while let line = readLine() {
      let new = try SmallMolecule.new("announced \(line)")
      let start = Timing.milliseconds()
      _ = try await store.add(new)
      print(start)
      fflush(nil)
    }
    await store.close()
  }
}

extension SharedCase {
  /// Measures the time from the beginning of an import in another process to its announcement in this one.
  private func announce(_ address: String) async throws {
    for name in ["writer", "listener"] {
      let store = LibraryStore(folder: scratch.path + "/" + name)
      _ = try await store.share(to: address) { _ in }
      await store.close()
    }
    guard let writer = Conversation(["/proc/self/exe", "announce", scratch.path + "/writer"]) else {
      return Measurement.skip(Self.announcementName, because: "the writing process cannot be started")
    }
    defer { writer.end() }
    // All processes of a machine have the same monotonic clock.
    let (changes, announced) = AsyncStream.makeStream(of: Double.self)
    let listener = LibraryStore(folder: scratch.path + "/listener") { announced.yield(Timing.milliseconds()) }
    listener.listen()
    var iterator = changes.makeAsyncIterator()
    // The connection announces itself.
    _ = await iterator.next()
    var times: [Double] = []
    for number in 0..<20 {
      guard let line = writer.exchange(Array("\(number)\n".utf8)),
        let start = Double(String(decoding: line, as: UTF8.self))
      else { return Measurement.skip(Self.announcementName, because: "the writing process ended") }
      // An earlier import may have had more than one announcement.
      var seen = -Double.infinity
      while seen < start { seen = await iterator.next() ?? .infinity }
      times.append(seen - start)
    }
    await listener.close()
    Measurement(Self.announcementName, Timing.median(times), unit: "ms", bar: 50).print()
  }
}

// MARK: Writers

extension SharedCase {
  private static let writers = 1...8
  private static let filesOfEach = 25

  /// Imports files by eight processes of the program at once, and counts those that the database lacks afterwards.
  private func writeAtOnce(_ address: String) async throws {
    guard access(Checkout.workbench, X_OK) == 0 else {
      return Measurement.skip(Self.writersName, because: "'\(Checkout.workbench)' is not built")
    }
    // Half of the files of a writer are its own, the others are the same for all.
    let files = try (["common"] + Self.writers.map { "own-\($0)" }).flatMap { kind in
      try (1...Self.filesOfEach).map { try SmallMolecule.new("\(kind)-\($0)") }
    }
    for file in files { _ = try scratch.write(file.original, name: file.molecule.file) }
    for writer in Self.writers {
      let share = [
        "env", "WORKBENCH_HOME=\(scratch.path)/home-\(writer)", Checkout.workbench, "store", "share",
        "molecules:library", address,
        "--yes",
      ]
      if Program.run(share) != 0 {
        return Measurement.skip(Self.writersName, because: "the program could not share its library")
      }
    }
    let script = """
      cd "$1" || exit
      for writer in $2; do
        WORKBENCH_HOME="$1/home-$writer" "$0" molecules import common-*.pdb "own-$writer"-*.pdb --quiet &
        pids="$pids $!"
      done
      for pid in $pids; do wait "$pid" || failed=1; done
      exit $failed
      """
    let writers = Self.writers.map { "\($0)" }.joined(separator: " ")
    let start = Timing.milliseconds()
    let status = Program.run(["sh", "-c", script, Checkout.workbench, scratch.path, writers])
    let seconds = (Timing.milliseconds() - start) / 1000
    let store = LibraryStore(folder: scratch.path + "/listener")
    let present = try await store.digests()
    let faults = try await store.check()
    await store.close()
    let lost = files.count { present[$0.digest] == nil } + faults.count
    Measurement(Self.writersName, Double(lost), unit: "molecules", bar: 0).print()
    let imported = Self.writers.count * 2 * Self.filesOfEach
    if status == 0 {
      Measurement("library: files imported by eight writers", Double(imported) / seconds, unit: "files/s").print()
    } else {
      Measurement.skip("library: files imported by eight writers", because: "a writer failed")
    }
  }
}
