import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Molecules

/// Compares pictures of the starters in every mode with pictures that were inspected and approved.
///
/// A picture is stored as 24 by 18 mean colors, which change with shape, light or color but not with rounding.
/// `RECORD_SNAPSHOTS=1` records them again; inspect every picture then.
struct GoldenPictureTests {
  private static let scenes = [
    "b-dna", "coiled-coil", "beta-sheet", "collagen", "caffeine", "buckminsterfullerene", "nanotube",
  ].flatMap { name in RenderMode.allCases.map { "\(name)-\($0.name)" } }

  private static var file: URL {
    Checkout.root.appending(path: "Tests/MoleculesTests/Snapshots/pictures.txt")
  }

  private func picture(_ scene: String) throws -> Picture {
    let mode = try #require(
      RenderMode.allCases.filter { scene.hasSuffix("-" + $0.name) }.max { $0.name.count < $1.name.count })
    let name = String(scene.dropLast(mode.name.count + 1))
    let url = Checkout.root.appending(path: "Plugins/Molecules/Resources/Starters/\(name).pdb")
    let structure = try StructureFile.read(bytes: Array(try Data(contentsOf: url)), name: name)
    let molecule = Molecule(
      id: nil, format: "pdb", file: name, structure: structure, bonds: [BondPerception.bonds(of: structure, model: 0)])
    var wanted = StillPicture(size: Size(width: 96, height: 72))
    wanted.mode = mode
    wanted.background = .black
    return try #require(wanted.draw(molecule))
  }

  /// Returns the means of blocks of four by four pixels, as hexadecimal digits of 16 steps.
  private func digest(_ picture: Picture) -> String {
    var digits = ""
    for row in 0..<18 {
      for column in 0..<24 {
        for channel in 0..<3 {
          var sum = 0
          for y in 0..<4 {
            for x in 0..<4 { sum += Int(picture.pixels[4 * ((4 * row + y) * 96 + 4 * column + x) + channel]) }
          }
          digits += String(sum / 256, radix: 16)
        }
      }
    }
    return digits
  }

  private func recorded() -> [String: String] {
    let text = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    return Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  @Test func `pictures match the recorded ones`() throws {
    let now = try Self.scenes.map { ($0, digest(try picture($0))) }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      let text = now.map { "\($0.0) \($0.1)\n" }.joined()
      try FileManager.default.createDirectory(
        at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let golden = recorded()
    let changed = now.filter { scene, digits in
      guard let before = golden[scene], before.count == digits.count else { return true }
      return zip(before, digits).contains { abs(($0.hexDigitValue ?? 99) - ($1.hexDigitValue ?? 0)) > 1 }
    }
    #expect(changed.map(\.0) == [])
  }

  @Test func `drawing a picture twice gives the same bytes`() throws {
    for scene in ["b-dna-cartoon", "caffeine-surface", "collagen-sticks"] {
      #expect(try picture(scene) == picture(scene))
    }
  }
}
