import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Pictures of a stream that go into one file.
struct AnimatedResultTests {
  private static func picture(_ level: UInt8) -> Picture {
    Picture(width: 6, height: 4, pixels: (0..<24).flatMap { place -> [UInt8] in [level, UInt8(place * 10), 9, 255] })
  }

  private func printed(
    _ format: GlobalOptions.Format, to file: String, failed: Bool = false
  ) async throws -> (output: String, messages: String) {
    let streams = StandardStreams.memory()
    var options = GlobalOptions()
    options.outputFile = file
    options.format = format
    let printer = ResultPrinter(
      .init(.picture, isStream: true), options: options, streams: streams, pictures: .standard, trace: nil
    ) { _, _, _ in nil }
    for level: UInt8 in [10, 90, 200] { try await printer.emit(.picture(Self.picture(level))) }
    try await printer.finish(failed: failed)
    return (streams.output.contents, streams.error.contents)
  }

  @Test func `the pictures of a stream become one animated picture`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("x.png").path
    let printed = try await printed(.text, to: file)
    #expect(printed.output.isEmpty && printed.messages.contains("wrote '\(file)', 3 pictures of 6×4 pixels"))
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.components(separatedBy: "fcTL").count == 4 && text.contains("acTL"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.path) == ["x.png"])
  }

  @Test func `an animated picture is one record in JSON`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("x.png").path
    for format in [GlobalOptions.Format.json, .jsonLines] {
      let value = try JSONReader.read(Array(try await printed(format, to: file).output.utf8))
      let record = format == .json ? value.list?.first ?? .null : value
      #expect(record["frames"] == 3 && record["width"] == 6 && record["file"] == .text(file))
    }
  }

  @Test func `a failed command leaves no file`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("x.png").path
    _ = try await printed(.text, to: file, failed: true)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
