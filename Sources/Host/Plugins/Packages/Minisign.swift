internal import CHost
import PluginAPI

/// A minisign public key, with which a publisher's signatures are checked.
///
/// - Source: minisign 0.11, "Public key format".
struct MinisignKey: Sendable, Hashable {
  /// The key as publishers state it: base64 that begins with `RW`.
  let text: String
  fileprivate let identifier: [UInt8]
  fileprivate let key: [UInt8]

  /// Reads a key; nil for any other text.
  init?(_ text: String) {
    guard let bytes = MinisignText.bytes(text), bytes.count == 42, bytes.starts(with: "Ed".utf8) else { return nil }
    (self.text, identifier, key) = (text, Array(bytes[2..<10]), Array(bytes[10...]))
  }
}

/// A signature of minisign, of a package or an index.
///
/// Only signatures of hashed files are accepted, as minisign makes them since version 0.10.
/// - Source: minisign 0.11, "Signature format".
struct MinisignSignature: Sendable, Hashable {
  /// The end of the name of a signature's file, after that of the signed one.
  static let fileExtension = ".minisig"
  private static let untrustedComment = "untrusted comment: "
  private static let trustedComment = "trusted comment: "

  /// The comment that is signed too, such as the file's name.
  let comment: String
  private let identifier: [UInt8]
  private let signature: [UInt8]
  private let global: [UInt8]

  /// Reads the file of a signature.
  ///
  /// - Throws: ``PackageError/badSignature(_:)`` if it has another form.
  init(_ bytes: [UInt8]) throws(PackageError) {
    let lines = (String(validating: bytes, as: UTF8.self) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5, lines[4].isEmpty, lines[0].hasPrefix(Self.untrustedComment),
      lines[2].hasPrefix(Self.trustedComment), let signature = MinisignText.bytes(lines[1]), signature.count == 74,
      let global = MinisignText.bytes(lines[3]), global.count == 64
    else { throw .badSignature("it does not have minisign's format") }
    guard signature.starts(with: "ED".utf8) else {
      throw .badSignature("the file was signed without being hashed; sign it with minisign 0.10 or later")
    }
    comment = String(lines[2].dropFirst(Self.trustedComment.count))
    (identifier, self.signature, self.global) = (Array(signature[2..<10]), Array(signature[10...]), global)
  }

  /// Returns a Boolean value indicating whether the signature names a key.
  func isMade(with key: MinisignKey) -> Bool { key.identifier == identifier }

  /// Checks that bytes and comment are signed with a key.
  ///
  /// - Throws: ``PackageError/badSignature(_:)`` if not, ``ErrorReport`` without libsodium.
  func check(_ bytes: [UInt8], key: MinisignKey) throws {
    guard isMade(with: key) else { throw PackageError.badSignature("it was made with another key") }
    let hash = try MinisignText.hash(bytes, size: 64)
    let isSigned = chost_is_signed(hash, hash.count, signature, key.key)
    let signed = signature + Array(comment.utf8)
    guard isSigned, chost_is_signed(signed, signed.count, global, key.key) else {
      throw PackageError.badSignature("the file or its signature changed since it was signed")
    }
  }

  /// Signs bytes and returns the file of the signature.
  static func file(signing bytes: [UInt8], comment: String, with secret: MinisignSecret) throws -> [UInt8] {
    let signature = try secret.signature(of: MinisignText.hash(bytes, size: 64))
    let global = try secret.signature(of: signature + Array(comment.utf8))
    let lines = [
      untrustedComment + "signature of a Workbench plugin",
      String(decoding: Base64.encoded(Array("ED".utf8) + secret.identifier + signature), as: UTF8.self),
      trustedComment + comment, String(decoding: Base64.encoded(global), as: UTF8.self), "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }
}

/// A minisign secret key without a passphrase, as made by `minisign -G -W`.
///
/// - Source: minisign 0.11, "Secret key format".
struct MinisignSecret: Sendable {
  fileprivate let identifier: [UInt8]
  private let key: [UInt8]

  /// Reads the file of a key.
  ///
  /// - Throws: ``PackageError/badKey(_:)``, also if the key has a passphrase; ``ErrorReport`` without libsodium.
  init(_ file: [UInt8], path: String) throws {
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, let bytes = MinisignText.bytes(String(lines[1])), bytes.count == 158,
      bytes.starts(with: "Ed".utf8), bytes[4..<6].elementsEqual("B2".utf8)
    else { throw PackageError.badKey("'\(path)' is not a minisign secret key") }
    guard bytes[2] == 0, bytes[3] == 0 else {
      throw PackageError.badKey("'\(path)' has a passphrase; sign the package with 'minisign -Sm FILE' instead")
    }
    (identifier, key) = (Array(bytes[54..<62]), Array(bytes[62..<126]))
    guard try isWhole(checksum: bytes[126...]) else { throw PackageError.badKey("'\(path)' is damaged") }
  }

  /// Returns a Boolean value indicating whether the key fits its checksum; without one, whether its halves fit.
  ///
  /// minisign 0.11 writes zeros instead of the checksum of a key without a passphrase.
  private func isWhole(checksum: ArraySlice<UInt8>) throws(ErrorReport) -> Bool {
    if checksum.contains(where: { $0 != 0 }) {
      return try MinisignText.hash(Array("Ed".utf8) + identifier + key, size: 32).elementsEqual(checksum)
    }
    return chost_is_signed(identifier, identifier.count, try signature(of: identifier), Array(key[32...]))
  }

  fileprivate func signature(of bytes: [UInt8]) throws(ErrorReport) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 64)
    guard chost_sign(bytes, bytes.count, key, &signature) else { throw ContentHash.noSodium }
    return signature
  }
}

/// The encodings that keys and signatures share.
private enum MinisignText {
  /// Returns the bytes of a base64 text in canonical form.
  static func bytes(_ text: String) -> [UInt8]? {
    guard let bytes = Base64.decoded(text), Base64.encoded(bytes).elementsEqual(text.utf8) else { return nil }
    return bytes
  }

  /// Returns the BLAKE2b hash of bytes.
  static func hash(_ bytes: some Collection<UInt8>, size: Int) throws(ErrorReport) -> [UInt8] {
    let content = Array(bytes)
    var hash = [UInt8](repeating: 0, count: size)
    guard chost_blake2b(content, content.count, &hash, size) else { throw ContentHash.noSodium }
    return hash
  }
}
