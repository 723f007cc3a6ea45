import Foundation
import PluginAPI
import PluginText
import TestSupport
import Testing

@testable import Host

/// Settings files and JSON that were damaged at random, the same way every time.
struct SettingsDamageTests {
  private static let good = Array(
    #"{"host":{"color":"never","plain":true,"keys":{"quit":["ctrl-q","x"]}},"molecules":{"n":-1.5e3,"t":"é\ud83d\ude00"}}"#
      .utf8)
  private static let tokens = ["{", "}", "[", "]", "\"", "\\u", "\\ud800", ",", ":", "1e999", "-", "nul", "\u{0}"]

  private func damaged(_ random: inout SplitMix64) -> [UInt8] {
    var bytes = Self.good
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...12, using: &random)))
      case 2: bytes.insert(contentsOf: Array((Self.tokens.randomElement(using: &random) ?? "").utf8), at: place)
      default: bytes.removeLast(bytes.count - place)
      }
    }
    return bytes
  }

  @Test func `damaged JSON is refused with a line, or reads and writes consistently`() {
    var random = SplitMix64(seed: 5)
    var (refused, wrongLines, unstable) = (0, 0, 0)
    for _ in 0..<3000 {
      let bytes = damaged(&random)
      do {
        let text = JSONWriter.text(of: try JSONReader.read(bytes))
        if (try? JSONWriter.text(of: JSONReader.read(Array(text.utf8)))) != text { unstable += 1 }
      } catch {
        refused += 1
        if error.line < 1 || error.problem.isEmpty { wrongLines += 1 }
      }
    }
    #expect(refused > 1000 && refused < 3000)
    #expect(wrongLines == 0 && unstable == 0)
  }

  @Test func `damaged settings are reported or give usable options`() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 6)
    var (problems, untold) = (0, 0)
    for number in 0..<150 {
      let file = try folder.write(damaged(&random), "settings-\(number).json")
      let settings = Settings(path: file.path, environment: [:])
      _ = HostSettings.options(settings)
      guard let problem = settings.problem else { continue }
      problems += 1
      if problem.report.kind != .unusableInput { untold += 1 }
    }
    #expect(problems > 50 && untold == 0)
  }
}
