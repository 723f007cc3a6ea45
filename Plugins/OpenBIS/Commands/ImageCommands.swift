import PluginAPI
import PluginImages

/// The command that shows an image of an entity.
enum ImageCommands {
  static let all = [image]

  static let image = OpenBISCommand(
    CommandDescription(
      "image", "shows an image of an entity", output: .init(.picture), effects: [.reads, .writes, .network]
    ).taking(
      [OpenBISCommand.entity],
      options: [
        Parameter(
          "number", .integer(minimum: 1, maximum: .max), "which of its images, the prominent one first",
          defaultValue: 1),
        Parameter("save", .outputFile, "write the image as it came into this file too"),
        Parameter("cached", .flag, "do not ask the server"), OpenBISCommand.account,
      ]
    ).explained(
      "An image that was fetched once is kept, as far as there is room, and shown offline too.",
      examples: [
        .init("image 20130115-1", "in the terminal"), .init("image 20130115-1 --output probe.png", "as a PNG file"),
        .init("image 20130115-1 --number 3 --save gel.svg", "the third one as it came"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call.text("perm-id")
    if !call.flag("cached") { try await browser.unlessOffline { try await browser.details([id]) } }
    let bytes = try await browser.image(id, number: call["number"].integer ?? 1)
    if !call.text("save").isEmpty { try OutputFile.write(bytes, to: call.text("save")) }
    let size = call.presentation.pictureSize
    let picture = try await call.compute("reading the image") { _ in
      try EntityImageError.reading(id) { () throws(ImageError) in
        try ImageReader.picture(from: bytes, drawingSize: size)
      }
    }
    guard let picture = picture as? Picture else { preconditionFailure("computed work gives what it returned") }
    try await call.emit(.picture(picture))
  }
}

/// An image that is there and cannot be drawn.
enum EntityImageError {
  /// Reads an image; what is wrong with it is told of its entity.
  static func reading<Result>(_ id: String, _ read: () throws(ImageError) -> Result) throws(LabError) -> Result {
    do {
      return try read()
    } catch {
      throw .noImage(id, reason: error.report.message)
    }
  }
}

extension LabBrowser {
  /// The bytes of an image of an entity, fetched unless they are kept.
  ///
  /// - Parameter number: Counted from 1, the prominent one first.
  /// - Throws: ``LabError``, `ImageFetchError`.
  func image(_ permID: String, number: Int) async throws -> [UInt8] {
    guard let entity = try await cache.entity(permID) else { throw try await unknown(permID) }
    let images = (entity.images ?? []).inOrder
    guard !images.isEmpty else {
      throw LabError.noImage(permID, reason: entity.images == nil ? "no details came yet" : "it has none")
    }
    guard number <= images.count else { throw LabError.fewerImages(permID, count: images.count) }
    return try await bytes(of: images[number - 1], permID)
  }

  /// The bytes of an image, fetched unless they are kept.
  func bytes(of image: EntityImage, _ permID: String) async throws -> [UInt8] {
    switch image.source {
    case .bytes(let bytes): return bytes
    case .unusable(let reason): throw LabError.noImage(permID, reason: reason)
    case .stored(let hash):
      if let bytes = try await cache.image(hash) { return bytes }
      throw LabError.noImage(permID, reason: "there was no room to keep it; ask for the details again")
    case .address(let address):
      if let hash = try await cache.imageHash(for: address), let bytes = try await cache.image(hash) { return bytes }
      report(Progress("fetching an image"))
      let fetched = try await images().image(address)
      try await cache.keepImage(fetched.bytes, for: address, role: image.role)
      return fetched.bytes
    }
  }

  /// Fetches images with the token of the session where one is due.
  private func images() async throws -> ImageFetcher {
    let session = try await session()
    let access = LabAccess(context, keys: try await servers.snapshot().trustedKeys)
    return access.servers.images(of: account, token: { session.token })
  }
}

extension [EntityImage] {
  /// The prominent one first, the others in their order.
  var inOrder: [EntityImage] { filter { $0.role == .marquee } + filter { $0.role != .marquee } }
}
