/// The subjects of the campaign.
enum Subjects {
  /// Returns the subject of that name.
  ///
  /// - Parameter folder: The folder of real files; seeds of our own are there without it.
  static func named(_ name: String, folder: String) throws -> any FuzzSubject {
    switch name {
    case "readers": StructureSubject(folder: folder)
    case "pdb", "cif", "bcif", "sdf", "xyz": StructureSubject(folder: folder, reader: name)
    case "values": ValueSubject()
    case "images": try ImageSubject()
    default: throw UnknownSubject(name: name)
    }
  }
}

/// An error for a word that names no subject.
struct UnknownSubject: Error, CustomStringConvertible {
  var name: String
  var description: String { "'\(name)' is none of: readers, pdb, cif, bcif, sdf, xyz, values, images, kills" }
}
