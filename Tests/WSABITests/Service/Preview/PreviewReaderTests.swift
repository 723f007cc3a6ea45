import Testing

@testable import WSABI

/// Streams of pictures, whole and broken (fault 47).
@Suite struct PreviewReaderTests {
  /// Returns the pictures of a stream delivered in pieces of a number of bytes; of those completed together only the
  /// newest.
  private func frames(
    _ stream: [UInt8], boundary: String? = "frame", limit: Int = 10_000, piece: Int = 1
  ) -> [PreviewFrame] {
    var reader = PreviewReader(boundary: boundary, limitInBytes: limit)
    var found: [PreviewFrame] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let next = Array(rest.prefix(piece))
      rest = rest.dropFirst(next.count)
      if let frame = next.withUnsafeBytes({ reader.push($0) }) { found.append(frame) }
    }
    if let frame = reader.finish() { found.append(frame) }
    return found
  }

  /// Returns a part in the format of NIST's .NET service.
  private func windowsPart(_ picture: [UInt8], length: Int? = nil, type: String = "image/jpeg") -> [UInt8] {
    Array("\r\n--frame\r\nContent-type: \(type)\r\nContent-Length: \(length ?? picture.count)\r\n\r\n".utf8) + picture
  }

  /// Returns a part in the format of NIST's Java service.
  private func javaPart(_ picture: [UInt8]) -> [UInt8] {
    Array("--frame\r\nContent-Type: image/pngContent-Length:\n\(picture.count)\n\n".utf8) + picture
  }

  private let pictures: [[UInt8]] = [
    [0xFF, 0xD8, 1, 2, 3], Array("\r\n\n--fram e\r\n\r\n".utf8), [0x89, 0x50, 0x0D, 0x0A],
    [UInt8](repeating: 45, count: 300),
  ]

  @Test(arguments: [1, 2, 3, 7, 50, 100_000])
  func `parts of the .NET service are read`(piece: Int) {
    let found = frames(pictures.flatMap { windowsPart($0) } + Array("\r\n--frame--\r\n".utf8), piece: piece)
    if piece < 50 { #expect(found.map(\.bytes) == pictures) }
    #expect(found.last?.bytes == pictures.last)
    #expect(found.last?.number == 4)
    #expect(found.allSatisfy { $0.claimedType == "image/jpeg" })
  }

  @Test(arguments: [1, 2, 3, 7, 50])
  func `parts of the Java service are read, including their malformed headers`(piece: Int) {
    let found = frames(pictures.flatMap { javaPart($0) }, piece: piece)
    if piece < 50 { #expect(found.map(\.bytes) == pictures) }
    #expect(found.last?.bytes == pictures.last)
    #expect(found.allSatisfy { $0.claimedType == "image/png" })
    let bare = frames(
      Array("--frame\nContent-Type: image/pngContent-Length: \n3\n".utf8) + [0x89, 1, 2] + javaPart([7, 8]),
      piece: piece)
    #expect(bare.map(\.bytes).contains([0x89, 1, 2]))
  }

  @Test func `the newest of several simultaneous pictures is used`() {
    let found = frames(pictures.flatMap { windowsPart($0) }, piece: .max)
    #expect(found.map(\.number) == [4])
  }

  @Test func `a picture is available as soon as its last byte arrives`() {
    var reader = PreviewReader(boundary: "frame", limitInBytes: 1000)
    let part = windowsPart([1, 2, 3])
    #expect(part.dropLast().withUnsafeBytes { reader.push($0) } == nil)
    #expect([UInt8(3)].withUnsafeBytes { reader.push($0) }?.bytes == [1, 2, 3])
  }

  @Test func `pictures without a length end at the boundary`() {
    let part = Array("--frame\r\nContent-Type: image/png; x=y\r\n\r\n".utf8)
    let stream = part + [1, 2, 3] + [13, 10] + part + [4, 5, 10] + part + [6]
    for piece in [1, 4] {
      let found = frames(stream, piece: piece)
      #expect(found.map(\.bytes) == [[1, 2, 3], [4, 5], [6]])
      #expect(found.allSatisfy { $0.claimedType == "image/png" })
    }
  }

  @Test func `a boundary within a picture of stated length is part of the picture`() {
    let picture = [1, 2] + Array("\r\n--frame\r\n\r\n".utf8) + [3]
    #expect(frames(windowsPart(picture) + windowsPart([9])).map(\.bytes) == [picture, [9]])
  }

  @Test func `after a wrong length, lengths are ignored`() {
    let stream = windowsPart([1, 2, 3, 4, 5], length: 3) + windowsPart([6, 7, 8], length: 1) + windowsPart([9, 9])
    let found = frames(stream + Array("\r\n--frame--".utf8))
    #expect(found.map(\.bytes) == [[1, 2, 3], [6, 7, 8], [9, 9]])
  }

  @Test(arguments: ["0", "-5", "99999999999999999999", "abc", ""])
  func `malformed lengths are ignored`(length: String) {
    let head = Array("--frame\r\nContent-Length: \(length)\r\nContent-Type: image/png\r\n\r\n".utf8)
    #expect(frames(head + [1, 2] + windowsPart([3])).map(\.bytes) == [[1, 2], [3]])
  }

  @Test func `a picture that is too large is skipped without memory for it, even if its size is not stated`() {
    let large = [UInt8](repeating: 7, count: 5000)
    let bare = Array("\r\n--frame\r\nContent-Type: image/png\r\n\r\n".utf8)
    for part in [windowsPart(large), bare + large] {
      for piece in [1, 999] {
        let found = frames(windowsPart([1]) + part + windowsPart([2]) + windowsPart([3]), limit: 1000, piece: piece)
        #expect(found.map(\.bytes).first == [1])
        #expect(found.map(\.bytes).last == [3])
        #expect(found.allSatisfy { $0.bytes.count == 1 })
      }
    }
  }

  @Test func `an endless header is skipped`() {
    let head = Array("--frame\r\n".utf8) + [UInt8](repeating: 65, count: 100_000)
    for piece in [100, 5000] {
      #expect(frames(head + windowsPart([1]) + windowsPart([2]), piece: piece).map(\.bytes).last == [2])
    }
  }

  @Test func `junk before and between parts is skipped`() {
    let junk = Array("HTTP junk -- -\r\n-\r\n--fra\r\n\r\n".utf8)
    #expect(frames(junk + windowsPart([1]) + junk + windowsPart([2])).map(\.bytes).last == [2])
  }

  @Test func `data after the last boundary is ignored`() {
    #expect(frames(windowsPart([1]) + Array("\r\n--frame--\r\n".utf8) + windowsPart([2])).map(\.bytes) == [[1]])
  }

  @Test func `a picture truncated by the end of the stream is dropped`() {
    #expect(frames(windowsPart([1]) + windowsPart([1, 2], length: 100)).map(\.bytes) == [[1]])
  }

  @Test func `an unnamed boundary is taken from the first line with two dashes`() {
    let stream = Array("\r\n".utf8) + windowsPart([1]).dropFirst(2) + windowsPart([2])
    #expect(frames(stream, boundary: nil).map(\.bytes) == [[1], [2]])
    #expect(frames([UInt8](repeating: 65, count: 50_000), boundary: nil, piece: 100) == [])
  }

  @Test(arguments: [
    ("multipart/x-mixed-replace; boundary=frame", "frame"), ("multipart/x-mixed-replace;boundary=\"a b;c\"", "a b;c"),
    ("Multipart/X-Mixed-Replace; charset=x; Boundary=--frame", "--frame"),
    ("multipart/x-mixed-replace; boundary=\"frame\" ; x=y", "frame"),
  ])
  func `the boundary is read from the content type, with or without quotes`(type: String, boundary: String) {
    #expect(PreviewReader.kind(contentType: type)?.boundary == boundary)
  }

  @Test func `a content type other than multipart is not a stream`() {
    #expect(PreviewReader.kind(contentType: "image/jpeg") == nil)
    #expect(PreviewReader.kind(contentType: "") == nil)
    #expect(PreviewReader.kind(contentType: "multipart/x-mixed-replace") == .init(boundary: nil))
    #expect(PreviewReader.kind(contentType: "multipart/x-mixed-replace; boundary=--") == .init(boundary: nil))
  }

  @Test func `dashes as part of the boundary are accepted`() {
    let stream = windowsPart([1]) + windowsPart([2])
    #expect(frames(stream, boundary: "--frame").map(\.bytes) == [[1], [2]])
  }

  @Test func `random bytes give the same last picture, whole or in pieces`() {
    var state: UInt64 = 42
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    let words = ["--frame", "\r\n", "Content-Length:", "Content-Type: image/png", "12", "--", "\n\n", "-"].map {
      Array($0.utf8)
    }
    for _ in 0..<200 {
      var stream: [UInt8] = []
      for _ in 0..<60 { stream += random() < 200 ? words[Int(random()) % words.count] : [random()] }
      var whole = PreviewReader(boundary: "frame", limitInBytes: 50)
      var last = stream.withUnsafeBytes { whole.push($0) }
      if let frame = whole.finish() { last = frame }
      // In pieces the same last picture is found, unless it was hidden by a newer one that was dropped.
      #expect(frames(stream, limit: 50, piece: 1).last?.bytes == last?.bytes)
    }
  }
}
