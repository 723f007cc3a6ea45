import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Molecules

/// Importing into a shared library, and announcing that to another client.
struct SharedCase {
  var scratch: ScratchFolder

  private static let count = 200
  private static let names = ["library: shared import of a small file", "library: change seen by another client"]

  /// Starts a server, measures and prints the lines.
  func run() async throws {
    let folder = scratch.path + "/server"
    let start = Program.output(["Scripts/postgres", "start", folder])
    guard start.status == 0, let address = start.text.split(separator: "\n").first.map(String.init) else {
      for name in Self.names { Measurement.skip(name, because: "PostgreSQL is not installed") }
      return
    }
    defer { _ = Program.run(["Scripts/postgres", "stop", folder]) }
    let local = try await importing(into: LibraryStore(folder: scratch.path + "/own"))
    let store = LibraryStore(folder: scratch.path + "/shared")
    _ = try await store.share(to: address) { _ in }
    let shared = try await importing(into: store)
    Measurement(
      Self.names[0], shared, unit: "ms", peer: ("the same into the user's own library", local), maximumRatio: 2
    ).print()
    try await announce(address)
  }

  /// Returns the milliseconds for each file.
  private func importing(into store: LibraryStore) async throws -> Double {
    // The database is created or connected to before.
    _ = try await store.snapshot()
    let files = try (0..<Self.count).map { try molecule("\($0)") }
    let start = Timing.milliseconds()
    for file in files { _ = try await store.add(file) }
    let time = Timing.milliseconds() - start
    await store.close()
    return time / Double(Self.count)
  }

  private func molecule(_ name: String) throws -> NewMolecule {
    let bytes = Array(("REMARK 999 \(name)\n" + ListCase.text).utf8)
    let read = try StructureSource(bytes: bytes, name: name + ".pdb")
    let molecule = Molecule(
      id: nil, format: read.format, file: name + ".pdb", structure: read.structure,
      bonds: [BondPerception.bonds(of: read.structure)])
    return NewMolecule(molecule: molecule, original: bytes, source: name, addedAt: Instant(seconds: 0, nanoseconds: 0))
  }

  private func announce(_ address: String) async throws {
    let writer = LibraryStore(folder: scratch.path + "/writer")
    _ = try await writer.share(to: address) { _ in }
    _ = try await LibraryStore(folder: scratch.path + "/listener").share(to: address) { _ in }
    let (changes, announced) = AsyncStream.makeStream(of: Void.self)
    let listener = LibraryStore(folder: scratch.path + "/listener") { announced.yield() }
    listener.listen()
    var iterator = changes.makeAsyncIterator()
    // The connection announces itself.
    await iterator.next()
    var times: [Double] = []
    for number in 0..<20 {
      let new = try molecule("announced \(number)")
      let start = Timing.milliseconds()
      _ = try await writer.add(new)
      await iterator.next()
      times.append(Timing.milliseconds() - start)
    }
    Measurement(Self.names[1], times.sorted()[times.count / 2], unit: "ms", bar: 50).print()
    await writer.close()
    await listener.close()
  }
}
