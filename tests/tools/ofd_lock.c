/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Open-file-description locks for shell tests.
 * usage: ofd_lock hold FILE BYTE          lock byte BYTE for writing, print "held" or "busy", then wait
 *        ofd_lock hold-all FILE BYTE      lock all bytes from BYTE on for reading, through a
 *                                         read-only descriptor
 *        ofd_lock look FILE BYTE          print "locked" or "free", according to F_OFD_GETLK
 *        ofd_lock hold-orphan FILE BYTE   like hold; then unlink FILE, and print its link count, size and mode
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *word)
{
	puts(word);
	fflush(stdout);
}

static void look(int fd, struct flock *lock)
{
	if (fcntl(fd, F_OFD_GETLK, lock))
		err(1, "F_OFD_GETLK");
	say(lock->l_type == F_UNLCK ? "free" : "locked");
}

static void hold(int fd, struct flock *lock)
{
	if (!fcntl(fd, F_OFD_SETLK, lock))
		say("held");
	else if (errno == EAGAIN || errno == EACCES)
		say("busy");
	else
		err(1, "F_OFD_SETLK");
}

/* Check what a program that keeps its lock file open sees after the file was removed. */
static void orphan(int fd, const char *path)
{
	struct stat st;

	if (unlink(path) || fchmod(fd, 0640) || ftruncate(fd, 3) || pwrite(fd, "abcd", 4, 0) != 4 ||
	    fstat(fd, &st))
		err(1, "%s: removed", path);
	printf("links %u size %ld mode %o\n", (unsigned)st.st_nlink, (long)st.st_size,
	       (unsigned)st.st_mode & 07777);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int fd;

	if (argc != 4)
		errx(2, "usage: ofd_lock hold|hold-all|look|hold-orphan FILE BYTE");
	lock.l_start = atol(argv[3]);
	if (!strcmp(argv[1], "hold-all")) {
		lock.l_type = F_RDLCK;
		lock.l_len = 0;
		fd = open(argv[2], O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	} else {
		fd = open(argv[2], O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	}
	if (fd < 0)
		err(1, "%s", argv[2]);
	if (!strcmp(argv[1], "look")) {
		look(fd, &lock);
		return 0;
	}
	hold(fd, &lock);
	if (!strcmp(argv[1], "hold-orphan"))
		orphan(fd, argv[2]);
	pause();
	return 0;
}
