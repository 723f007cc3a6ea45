import PluginAPI

/// The files that `import` takes in: those that `export` writes, and transactions of others.
enum WSABIFileTypes {
  static let all = [
    FileTypeDescription(
      "biometric transaction (ANSI/NIST-ITL, traditional encoding)", extensions: ["an2", "an2k", "eft", "nist"],
      magic: Array("1.001:".utf8), command: "import"),
    // Packed folders of many programs look like this: what is none of a person is refused by the command.
    FileTypeDescription(
      "person with all captures, as 'wsabi export --format zip' writes it", extensions: ["zip"],
      magic: [0x50, 0x4B, 3, 4], command: "import"),
  ]
}
