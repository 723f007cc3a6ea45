import Foundation
import PluginAPI
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Captures that sensors send as JPEG.
@Suite struct JPEGCaptureTests {
  /// 32×16 pixels, gray 20 on the left and 230 on the right, 500 an inch, progressive; libjpeg-turbo 2.1.5, quality 90.
  static let gray = bytes(
    """
    /9j/4AAQSkZJRgABAQEB9AH0AAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIU
    FRT/wgALCAAQACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAkI/9oACAEBAAAAAc3qMJzqMP/EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAQUC
    D//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEABj8CD//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8hD//aAAgBAQAAABAA/8QAFBABAAAA
    AAAAAAAAAAAAAAAAMP/aAAgBAQABPxAP/9k=
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64.filter { !$0.isWhitespace }) ?? Data())
  }

  @Test func `a JPEG is shown, measured and reduced to a thumbnail`() throws {
    #expect(SniffedType.of(Array(Self.gray.prefix(64))) == "image/jpeg")
    #expect(
      PictureHeader(Self.gray) == PictureHeader(.jpeg, width: 32, height: 16, bitsPerPixel: 8, pixelsPerInch: 500))
    let picture = try CapturePicture.picture(Self.gray)
    #expect(picture.width == 32 && picture.height == 16)
    let gray = try CapturePicture.gray(Self.gray)
    #expect(gray.pixelsPerInch == 500)
    // The edge is between two blocks of eight pixels, so that there is no ringing.
    for place in gray.pixels.indices {
      let expected = place % 32 < 16 ? 20 : 230
      #expect(abs(Int(gray.pixels[place]) - expected) <= 3, "pixel \(place)")
    }
    let small = try #require(CapturePicture.thumbnail(Self.gray))
    #expect(PictureHeader(small)?.format == .png && PictureHeader(small)?.width == 32)
  }

  @Test func `a JPEG is put into a transaction and read back unchanged`() throws {
    let image = try CapturePicture.exchanged(Self.gray)
    #expect(image.compression == .jpeg && image.bytes == Self.gray && image.width == 32)
    #expect(try CapturePicture.file(image).bytes == Self.gray)
  }

  @Test func `a truncated JPEG is reported or shown in part, and nothing crashes`() {
    for count in stride(from: 0, to: Self.gray.count, by: 7) {
      let cut = Array(Self.gray.prefix(count))
      do throws(PictureError) {
        let picture = try CapturePicture.picture(cut)
        #expect(picture.width == 32 && picture.height == 16)
      } catch {
        #expect(!error.report.message.isEmpty)
      }
    }
  }

  @Test func `a JPEG that claims too many pixels is rejected before memory is allocated`() throws {
    var bytes = Self.gray
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(
      throws: PictureError.tooLarge(width: 65_535, height: 65_535, mostPixels: CapturePicture.mostPixels)
    ) { try CapturePicture.picture(bytes) }
  }

  @Test func `a sensor's JPEG is stored as received, with a thumbnail`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let store = try user.store()
    let intent = CaptureIntent(
      item: 1, address: try SensorAddress(parsing: user.address(1)), session: SequencePlayer.capture(1),
      configuration: WireDictionary())
    let number = try await store.begin(intent)
    try await store.captured(number, ids: [SequencePlayer.capture(2)])
    let sink = try await store.sink(number, SequencePlayer.capture(2))
    try Self.gray.withUnsafeBytes { try sink.write($0) }
    var answer = SensorAnswer(status: .success, namespace: .bioserv)
    answer.metadata = WireDictionary([.init("contentType", .string("image/bmp"))])
    let record = try await store.keep(
      number, sink, FinishedDownload(id: SequencePlayer.capture(2), answer: answer, start: Array(Self.gray.prefix(64))))
    // The claimed type and the real one.
    #expect(record.claimedType == "image/bmp" && record.sniffedType == "image/jpeg")
    let reviewed = try await CaptureReview(records: store).review(record, of: Submodality(wire: "RightIndexFlat"))
    #expect(reviewed.flaw == nil)
    #expect(try await store.data(of: reviewed.record) == Self.gray)
    #expect(try await store.thumbnail(of: reviewed.record.id) != nil)
    await user.stop()
  }
}
