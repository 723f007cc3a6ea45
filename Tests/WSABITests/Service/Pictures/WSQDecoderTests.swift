import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

@Suite struct WSQDecoderTests {
  /// Ridges that bend, in all grays.
  private static func ridges(_ width: Int, _ height: Int) -> [UInt8] {
    var grays: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let distance: Double = hypot(Double(x) - 0.4 * Double(width), Double(y) - 30)
        let phase: Double = distance / 1.5 + 2 * sin(Double(x) / 25)
        grays.append(UInt8(128 + 110 * sin(phase)))
      }
    }
    return grays
  }

  @Test(arguments: [(64, 64), (65, 64), (64, 65), (97, 83), (127, 99), (33, 150)])
  func `a picture of any size is decoded, within the error of its quantization`(
    _ width: Int, _ height: Int
  ) throws {
    let grays = Self.ridges(width, height)
    for (writer, most) in [(WSQWriter(binWidth: 0.25), 4), (WSQWriter(binWidth: 4, restarts: true), 8)] {
      let decoded = try WSQDecoder.decode(writer.file(grays, width: width), mostPixels: 100_000)
      #expect(decoded.width == width && decoded.height == height)
      let worst = zip(decoded.grays, grays).map { abs(Int($0) - Int($1)) }.max()
      #expect(worst.map { $0 <= most } == true, "\(worst ?? -1)")
    }
  }

  @Test func `sharp edges and long runs of zeros are decoded`() throws {
    var random = SeededChance(7)
    // Columns alone: the subbands of the highest frequencies in both directions are not coded.
    let columns = (0..<80).map { _ in random.below(2) == 0 ? UInt8(random.below(256)) : 255 }
    let grays = (0..<75).flatMap { _ in columns }
    let decoded = try WSQDecoder.decode(WSQWriter(binWidth: 0.25).file(grays, width: 80), mostPixels: 100_000)
    #expect(zip(decoded.grays, grays).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    let black = [UInt8](repeating: 0, count: 300 * 300)
    #expect(
      try WSQDecoder.decode(WSQWriter().file(black, width: 300), mostPixels: 100_000).grays.allSatisfy { $0 <= 1 })
  }

  @Test func `a truncated file is an error, and a changed one an error or a picture`() throws {
    let file = WSQWriter(binWidth: 8).file(Self.ridges(64, 48), width: 64)
    for count in 0..<file.count {
      #expect(throws: WSQError.self) { try WSQDecoder.decode(Array(file.prefix(count)), mostPixels: 100_000) }
    }
    var random = SeededChance(11)
    var errors = 0
    for _ in 0..<500 {
      var changed = file
      for _ in 0...random.below(4) { changed[random.below(changed.count)] = UInt8(random.below(256)) }
      do { _ = try WSQDecoder.decode(changed, mostPixels: 100_000) } catch { errors += 1 }
    }
    #expect(errors > 0)
  }

  @Test func `too many pixels are rejected before memory is allocated`() {
    let file = WSQWriter(binWidth: 8).file(Self.ridges(64, 48), width: 64)
    #expect(throws: WSQError.unsupported(reason: "64×48 pixels, more than 3071")) {
      try WSQDecoder.decode(file, mostPixels: 3071)
    }
  }

  @Test func `a WSQ capture is shown, reduced to a thumbnail and scored like a bitmap`() throws {
    let grays = Self.ridges(300, 400)
    let file = WSQWriter().file(grays, width: 300)
    #expect(PictureFlaw.of(file) == nil && PictureHeader(file)?.pixelsPerInch == 500)
    let image = try CapturePicture.gray(file)
    #expect(image.width == 300 && image.height == 400 && image.pixelsPerInch == 500)
    let bitmap = GrayImage(width: 300, height: 400, pixels: grays).bitmap
    let finger = Submodality(wire: "RightIndexFlat")
    let (wsq, plain) = (
      CaptureQuality.quality(of: image, finger), CaptureQuality.quality(of: try CapturePicture.gray(bitmap), finger)
    )
    #expect(wsq != nil && abs((wsq?.score ?? 0) - (plain?.score ?? 100)) <= 2)
    #expect(CapturePicture.thumbnail(file) != nil)
    #expect(CapturePicture.thumbnail(Array(file.dropLast(9))) == nil)
  }

  /// A Python with the package `wsq`, which wraps NIST's own encoder and decoder; nil if there is none.
  private static let python = ProcessInfo.processInfo.environment["WORKBENCH_WSQ_PYTHON"]

  @Test(.enabled(if: python != nil, "WORKBENCH_WSQ_PYTHON names no Python with the package 'wsq'"))
  func `files of NIST's encoder are decoded like by its decoder, within one gray level`() throws {
    let folder = try TemporaryFolder()
    let script = """
      import math, sys, wsq
      from PIL import Image
      for number, (width, height) in enumerate([(300, 300), (301, 287), (256, 333), (99, 127)]):
        image = Image.new('L', (width, height))
        image.putdata([int(128 + 110 * math.sin(math.hypot(i % width - 99, i // width - 60) / 1.6 + i % 7 / 9))
          for i in range(width * height)])
        image.save(f'{sys.argv[1]}/{number}.wsq')
        open(f'{sys.argv[1]}/{number}.raw', 'wb').write(Image.open(f'{sys.argv[1]}/{number}.wsq').convert('L').tobytes())
      """
    _ = try BuiltProgram.run(
      URL(fileURLWithPath: Self.python ?? ""), ["-c", script, folder.path.path], environment: [:],
      deadlineInSeconds: 120)
    for number in 0..<4 {
      let decoded = try WSQDecoder.decode(
        Array(try Data(contentsOf: folder.url("\(number).wsq"))), mostPixels: 1_000_000)
      let expected = Array(try Data(contentsOf: folder.url("\(number).raw")))
      #expect(decoded.grays.count == expected.count)
      #expect(zip(decoded.grays, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }
}
