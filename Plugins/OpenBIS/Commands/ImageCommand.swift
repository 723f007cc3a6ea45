import PluginAPI
import PluginImages

/// The command that shows an image of an entity.
enum ImageCommand {
  private static let number = Option(
    "number", in: 1...Int.max, "Number of the image; the main image is 1", default: 1)
  private static let save = Option(
    "save", String.self, kind: .outputFile, "Also save the original image to this file, pipe or device (not '-')")
  private static let isCachedOnly = Option(flag: "cached", "Use the cache only, without a request to the server")
  private static let knowsDetails = Option(
    flag: "known-details", "Request the image only, and use the cached details")

  static let command = OpenBISCommand(
    CommandDescription(
      "image", "Show an image of an entity", output: .init(.picture), effects: [.reads, .writes, .network]
    ).taking(
      LabInputs.entity, number, save, isCachedOnly, knowsDetails, LabInputs.account
    ).explained(
      "Downloaded images are cached, up to the size in the setting 'image-budget', and can then be shown offline.",
      examples: [
        .init("image 20130115-1", "In the terminal"), .init("image 20130115-1 --output probe.png", "As a PNG file"),
        .init("image 20130115-1 --number 3 --save gel.svg", "The third image in its original format"),
      ])
  ) { call, laboratory in
    let target = call[save]
    if let target { try OutputFile.check(target) }
    let browser = try await LabBrowser(call, laboratory)
    let id = call[LabInputs.entity]
    let needsDetails = !call[isCachedOnly] && !call[knowsDetails]
    if needsDetails { try await browser.unlessOffline { try await browser.details([id]) } }
    // Screens request one image after another: while the server is unreachable, none of them waits for it.
    let isOnline = needsDetails || laboratory.isReachable(browser.account.id)
    let bytes = try await browser.image(
      id, number: call[number], isCachedOnly: call[isCachedOnly] || !isOnline)
    let size = call.presentation.pictureSize
    let picture = try await call.compute("reading the image") { _ in
      if let target { try OutputFile.write(bytes, to: target) }
      do throws(ImageError) {
        return try ImageReader.picture(from: bytes, drawingSize: size)
      } catch {
        throw LabError.noImage(id, reason: error.report.message)
      }
    }
    try await call.emit(.picture(picture))
  }
}

extension Picture {
  /// Returns the picture scaled to fit a screen, or to fit a tile among several.
  func shown(asTile isTile: Bool) -> Picture {
    scaled(toFit: isTile ? Size(width: 208, height: 160) : Size(width: 1600, height: 1200))
  }
}

extension LabBrowser {
  /// Returns the bytes of an image of an entity, fetched unless they are cached.
  ///
  /// - Parameters:
  ///   - number: Counted from 1, the prominent one first.
  ///   - isCachedOnly: True to fail instead of fetching an image that is not cached.
  /// - Throws: ``LabError``, `ImageFetchError`.
  func image(_ permID: String, number: Int, isCachedOnly: Bool = false) async throws -> [UInt8] {
    guard let entity = try await cache.entity(permID) else { throw try await unknown(permID) }
    let images = (entity.images ?? []).inOrder
    guard !images.isEmpty else {
      throw LabError.noImage(permID, reason: entity.images == nil ? "its details are not loaded yet" : "it has none")
    }
    guard number <= images.count else {
      throw LabError.noImage(
        "'\(permID)' has \(images.count) \(images.count == 1 ? "image" : "images")",
        advice: "give a '--number' from 1 to \(images.count)",
        details: ["permId": .text(permID), "images": .integer(images.count)]
      ).sanitized
    }
    let image = images[number - 1]
    if let bytes = try await keptBytes(of: image, permID) { return bytes }
    guard !isCachedOnly, case .address(let address) = image.source else {
      throw LabError.notCached(
        "image \(number) of '\(permID)' is not cached",
        advice: "leave out '--cached', or try again when you are online", isRetryable: true
      ).sanitized
    }
    report(Progress("downloading an image"))
    let fetcher = try await access().servers.images(of: account, session())
    let fetched = try await fetcher.image(address)
    try await cache.keepImage(fetched.bytes, for: address, role: image.role)
    return fetched.bytes
  }

  /// Returns the bytes of an image; nil if it is not cached but can be fetched.
  private func keptBytes(of image: EntityImage, _ permID: String) async throws -> [UInt8]? {
    switch image.source {
    case .bytes(let bytes): return bytes
    case .unusable(let reason): throw LabError.noImage(permID, reason: reason)
    case .stored(let hash):
      if let bytes = try await cache.image(hash) { return bytes }
      throw LabError.noImage(permID, reason: "it did not fit into the cache; request the details again")
    case .address(let address):
      guard let hash = try await cache.imageHash(for: address) else { return nil }
      return try await cache.image(hash)
    }
  }
}
