// Computes the starter molecules of the Molecules plugin from published parameters and ideal geometry.
//
//   swift run -c release Starters DIRECTORY           writes the files
//   swift run -c release Starters --check DIRECTORY   compares them byte by byte and fails when one differs
//
// Either way every structure is checked for sane bonds, angles, contacts and handedness first.

import Glibc

/// Reads a whole file, or gives nil when there is none.
func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
  }
}

/// Writes a file; false when that failed.
func save(_ bytes: [UInt8], to path: String) -> Bool {
  guard let file = fopen(path, "wb") else { return false }
  let written = fwrite(bytes, 1, bytes.count, file)
  return fclose(file) == 0 && written == bytes.count
}

/// Writes a line to standard error.
func complain(_ message: String) {
  let line = Array("starters: \(message)\n".utf8)
  _ = Glibc.write(2, line, line.count)
}

func fail(_ message: String) -> Never {
  complain(message)
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
let isChecking = arguments.first == "--check"
guard let directory = arguments.last, !directory.hasPrefix("-"), arguments.count == (isChecking ? 2 : 1) else {
  fail("usage: Starters [--check] DIRECTORY")
}

let starters = [
  DoubleHelix.file(), CoiledCoil.file(), Collagen.file(), BetaSheet.file(), Caffeine.file(),
  Buckminsterfullerene.file(), Nanotube.file(),
]
var failures = 0
for starter in starters {
  let check = GeometryCheck(starter.structure)
  print("\(starter.name): \(starter.structure.atoms.count) atoms, \(check.summary)")
  if !check.isSane {
    complain("'\(starter.name)' has an implausible geometry")
    failures += 1
  }
  let path = "\(directory)/\(starter.name).pdb"
  let bytes = Array(starter.text.utf8)
  if isChecking {
    if contents(of: path) != bytes {
      complain("'\(path)' differs from the computed structure; rewrite it with 'Starters \(directory)'")
      failures += 1
    }
  } else if !save(bytes, to: path) {
    fail("cannot write '\(path)'")
  }
}
exit(failures == 0 ? 0 : 1)
