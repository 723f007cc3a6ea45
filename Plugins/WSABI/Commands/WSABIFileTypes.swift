import PluginAPI

/// The files that `import` accepts: those that `export` writes, and transactions from other systems.
enum WSABIFileTypes {
  static let all = [
    FileTypeDescription(
      "biometric transaction (ANSI/NIST-ITL, traditional encoding)", extensions: ["an2", "an2k", "eft", "nist"],
      magic: Array("1.001:".utf8), command: "import"),
    // Archives of many programs look like this; the command refuses those without a person.
    FileTypeDescription(
      "person with all captures, as 'wsabi export --format zip' writes it", extensions: ["zip"],
      magic: [0x50, 0x4B, 3, 4], command: "import"),
  ]
}
