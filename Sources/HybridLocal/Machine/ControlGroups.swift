/// The control groups that bind this process, found from `/proc/self/cgroup` and
/// `/proc/self/mountinfo`.
///
/// Version 1 has a tree per controller, version 2 one tree for all; a hybrid machine has both, and
/// a controller lives in exactly one of them. Limits of an ancestor bind as well as the group's
/// own, so every question is asked of each folder from the group up to the mount point.
package struct ControlGroups: Sendable {
  package enum Version: String, Sendable, Hashable { case v1, v2 }

  /// A group's folder, and which version's file names to look for in it.
  package struct Folder: Sendable, Hashable {
    package let path: String
    package let version: Version
  }

  private struct Membership {
    let controllers: [Substring]
    let path: Substring
    var version: Version { controllers.isEmpty ? .v2 : .v1 }
  }

  private struct Mount {
    let root: String
    let point: String
    let version: Version
    let controllers: [Substring]
  }

  private let memberships: [Membership]
  private let mounts: [Mount]

  package init(_ files: MachineFiles) {
    memberships = Self.memberships(files.read("/proc/self/cgroup") ?? "")
    mounts = files.read("/proc/self/mountinfo").map(Self.mounts) ?? Self.usualMounts
  }

  /// The folders that bind the controller: the process's own group first, then each ancestor.
  ///
  /// Only names are computed here; a folder need not exist.
  package func folders(for controller: String) -> [Folder] {
    var folders: [Folder] = []
    for membership in memberships {
      let version = membership.version
      if version == .v1, !membership.controllers.contains(where: { $0 == controller }) { continue }
      let candidates = mounts.filter { mount in
        guard mount.version == version else { return false }
        return version == .v2 || mount.controllers.contains { $0 == controller }
      }
      // A container may see several mounts of one tree; the one that holds the group wins. When
      // none does (the group lies outside the namespace), the mount point is all there is to ask.
      let paths =
        candidates.lazy.compactMap { Self.ancestors(of: membership.path, in: $0) }.first
        ?? candidates.first.map { [$0.point] } ?? []
      folders += paths.map { Folder(path: $0, version: version) }
    }
    return folders
  }

  /// The group that this process is in, as far as one controller goes.
  package struct Group: Sendable, Hashable {
    package let version: Version
    /// As `/proc/self/cgroup` has it.
    package let path: String
    /// Its folder; the mount point where the group lies outside of what is mounted. nil: not mounted.
    package let folder: String?

    package init(version: Version, path: String, folder: String?) {
      self.version = version
      self.path = path
      self.folder = folder
    }
  }

  /// The group whose limits for the controller bind; nil without control groups.
  package func group(for controller: String) -> Group? {
    // On a machine with both versions a controller is in one of them, and version 2 names none.
    let named = memberships.first { $0.controllers.contains { $0 == controller } }
    guard let found = named ?? memberships.first(where: { $0.version == .v2 }) else { return nil }
    return Group(
      version: found.version, path: String(found.path),
      folder: folders(for: controller).first { $0.version == found.version }?.path)
  }

  /// `id:controllers:path` a line; version 2 is the line without controllers.
  private static func memberships(_ text: String) -> [Membership] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
      return Membership(controllers: fields[1].split(separator: ","), path: fields[2])
    }
  }

  /// proc_pid_mountinfo(5): `id parent dev root point options [tags…] - type source super-options`.
  private static func mounts(_ text: String) -> [Mount] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count >= 10, let dash = fields[6...].firstIndex(of: "-"),
        dash + 3 < fields.count
      else { return nil }
      let version: Version
      switch fields[dash + 1] {
      case "cgroup": version = .v1
      case "cgroup2": version = .v2
      default: return nil
      }
      return Mount(
        root: unescaped(fields[3]), point: unescaped(fields[4]), version: version,
        controllers: fields[dash + 3].split(separator: ","))
    }
  }

  /// Where the trees usually stand, for the case that mountinfo cannot be read.
  private static var usualMounts: [Mount] {
    let v1 = ["cpu", "cpuset", "memory"].map { name in
      Mount(
        root: "/", point: "/sys/fs/cgroup/\(name)", version: .v1, controllers: [Substring(name)])
    }
    return v1 + [Mount(root: "/", point: "/sys/fs/cgroup", version: .v2, controllers: [])]
  }

  /// The group's folder under the mount and each of its ancestors up to the mount point, or nil
  /// when the group lies outside what the mount shows.
  private static func ancestors(of path: Substring, in mount: Mount) -> [String]? {
    let group = path.split(separator: "/")
    let root = mount.root.split(separator: "/")
    guard group.starts(with: root), !group.contains(".."), group.count <= 256 else { return nil }
    let below = group[root.count...]
    let base = mount.point == "/" ? "" : mount.point
    return (0...below.count).reversed().map { depth in
      ([base] + below.prefix(depth).map(String.init)).joined(separator: "/")
    }
  }

  /// mountinfo writes blanks and backslashes as three octal digits: `\040`.
  private static func unescaped(_ field: Substring) -> String {
    guard field.contains("\\") else { return String(field) }
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
